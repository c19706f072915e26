// Programs that the user has allowed to act for them.
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { applications as words } from '../../../text/own-applications.ts'
import { own } from '../../../text/places.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { confirmThen } from '../../../ui/dialog/dialog.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Application = Answer<'GET /user/authorized_applications'>[number]

const inputOf = (url: URL) => ({ per_page: 50, page: Number(url.searchParams.get('page') ?? 1) })

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /user/authorized_applications', inputOf(url))],
  View: OwnApplications,
}

function OwnApplications() {
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /user/authorized_applications', inputOf(currentUrl.value))
  return (
    <OwnSettings title={own.applications} lead={words.lead}>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((application) => (
            <ApplicationRow key={application.id} application={application} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </OwnSettings>
  )
}

function ApplicationRow({ application }: { application: Application }) {
  const { name, scopes, last_authorized_at } = application
  return (
    <Row
      aside={
        <>
          <span>
            {words.lastAuthorized} <Time at={last_authorized_at} />
          </span>
          <Button look="quiet" onClick={() => askToRevoke(application)}>
            {words.revoke}
            <span class="only-spoken"> {name}</span>
          </Button>
        </>
      }
    >
      <strong>{name}</strong>
      {scopes.map((scope) => (
        <p key={scope} class="muted">
          {words.scopeNames[scope] ?? scope}
        </p>
      ))}
    </Row>
  )
}

function askToRevoke({ id, name }: Application): void {
  confirmThen({
    title: words.revokeTitle(name),
    text: words.revokeText,
    action: words.revokeConfirm,
    run: async () => {
      await call('DELETE /user/authorized_applications/:id', { id })
      invalidate('/api/v4/user/authorized_applications')
      showToast(words.revoked(name))
    },
  })
}
