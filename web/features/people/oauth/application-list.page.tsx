// OAuth applications of the instance, for administrators.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { instanceApplications as words } from '../../../text/instance-applications.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import type { ApplicationCalls } from './registered-applications.tsx'

const RegisteredApplications = lazyComponent(() =>
  import('./registered-applications.tsx').then((module) => module.RegisteredApplications),
)

const inputOf = (url: URL) => ({ per_page: 50, page: Number(url.searchParams.get('page') ?? 1) })

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /applications', inputOf(url))],
  View: ApplicationList,
}

const after = () => invalidate('/api/v4/applications')

const calls: ApplicationCalls = {
  create: (fields) => call('POST /applications', fields).finally(after),
  renew: (id) => call('POST /applications/:id/renew-secret', { id }),
  remove: (id) => call('DELETE /applications/:id', { id }).finally(after),
}

function ApplicationList() {
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /applications', inputOf(currentUrl.value))
  const [isNew, setNew] = useState(false)
  return (
    <AdminPage
      title={words.title}
      lead={words.lead}
      actions={
        <Button look="primary" onClick={() => setNew(true)}>
          {words.new}
        </Button>
      }
    >
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      {data ? (
        <RegisteredApplications
          label={words.list}
          applications={data}
          calls={calls}
          isNew={isNew}
          hasTrusted
          onNewClose={() => setNew(false)}
        />
      ) : null}
      <Pager page={pages} />
    </AdminPage>
  )
}
