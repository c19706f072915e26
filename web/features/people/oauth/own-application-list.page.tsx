// Programs that the user has registered, and those that they have allowed to act for them.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { applications as words } from '../../../text/own-applications.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import type { ApplicationCalls } from './registered-applications.tsx'

const RegisteredApplications = lazyComponent(() =>
  import('./registered-applications.tsx').then((module) => module.RegisteredApplications),
)

type AllowedApplication = Answer<'GET /user/authorized_applications'>[number]

/** The maximum number of applications of a user, so all are listed. */
const ownInput = { per_page: 100 }
const inputOf = (url: URL) => ({ per_page: 50, page: Number(url.searchParams.get('page') ?? 1) })

export const page: PageModule = {
  calls: ({ url }) => [
    apiReadUrl('GET /user/applications', ownInput),
    apiReadUrl('GET /user/authorized_applications', inputOf(url)),
  ],
  View: OwnApplications,
}

const after = () => invalidate('/api/v4/user/applications')

const calls: ApplicationCalls = {
  create: ({ trusted: _, ...fields }) => call('POST /user/applications', fields).finally(after),
  change: (id, fields) => call('PUT /user/applications/:id', { id, ...fields }).finally(after),
  renew: (id) => call('POST /user/applications/:id/renew-secret', { id }),
  remove: (id) => call('DELETE /user/applications/:id', { id }).finally(after),
}

function OwnApplications() {
  return (
    <OwnSettings title={ownSettingsPlaces.applications}>
      <OwnRegistrations />
      <AllowedApplications />
    </OwnSettings>
  )
}

function OwnRegistrations() {
  const { data, refusal, again } = useApi('GET /user/applications', ownInput)
  const [isNew, setNew] = useState(false)
  return (
    <Section
      title={words.yours}
      lead={words.yoursLead}
      actions={<Button onClick={() => setNew(true)}>{words.new}</Button>}
    >
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? <EmptyState title={words.noneOfYours} /> : null}
      {data ? (
        <RegisteredApplications
          label={words.yours}
          applications={data}
          calls={calls}
          isNew={isNew}
          onNewClose={() => setNew(false)}
        />
      ) : null}
    </Section>
  )
}

function AllowedApplications() {
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /user/authorized_applications', inputOf(currentUrl.value))
  return (
    <Section title={words.list} lead={words.lead}>
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
            <AllowedRow key={application.id} application={application} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Section>
  )
}

function AllowedRow({ application }: { application: AllowedApplication }) {
  const { name, scopes, last_authorized_at } = application
  return (
    <ListRow
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
    </ListRow>
  )
}

function askToRevoke({ id, name }: AllowedApplication): void {
  confirmBefore({
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
