import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { apiReadUrl, useAllPages, useApi } from '../../../api/use-api.ts'
import { adminUsers as words } from '../../../text/admin.ts'
import { levelNames } from '../../../text/roles.ts'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { LastActivity } from './last-activity.tsx'
import { UserMenu, usersUrl } from './user-menu.tsx'

/** Loaded later, since it is below the visible part of the page. */
const Sessions = lazyComponent(() =>
  import('./user-sessions.tsx').then((part) => part.UserSessions),
)
const ImpersonationTokens = lazyComponent(() =>
  import('./impersonation-tokens.tsx').then((part) => part.ImpersonationTokens),
)

type Account = Extract<Answer<'GET /users'>[number], { email: string }>

const inputOf = ({ params }: PageLocation) => ({
  username: decodeURIComponent(params.username ?? ''),
})

export const page: PageModule = {
  calls: (at) => [apiReadUrl('GET /users', inputOf(at))],
  View: AdminUser,
}

function AdminUser({ at }: { at: PageLocation }) {
  const { data } = useApi('GET /users', inputOf(at))
  const account = data?.[0]
  if (!account || !('email' in account)) return data ? <NotFoundPage /> : null
  return (
    <AdminPage
      title={account.name}
      actions={
        <div class="row">
          <ButtonLink href={`/${account.username}`}>{words.viewProfile}</ButtonLink>
          <UserMenu one={account} onRemoved={() => navigate('/admin/users', { replace: true })} />
        </div>
      }
    >
      <Facts account={account} />
      <Memberships id={account.id} />
      <Identities account={account} />
      <Change account={account} />
      <Sessions id={account.id} />
      <ImpersonationTokens id={account.id} />
      <NewPassword id={account.id} />
    </AdminPage>
  )
}

function Facts({ account }: { account: Account }) {
  const { data: counts } = useApi('GET /users/:id/associations_count', { id: account.id })
  const facts: [string, preact.ComponentChildren][] = [
    [words.username, `@${account.username}`],
    [words.email, account.email],
    [words.state, words.stateNames[account.state]],
    [words.twoFactor, account.two_factor_enabled ? words.enabled : words.disabled],
    [words.created, account.created_at ? <Time at={account.created_at} /> : words.never],
    [
      words.lastSignIn,
      account.current_sign_in_at ? <Time at={account.current_sign_in_at} /> : words.never,
    ],
    [
      words.lastActivity,
      account.last_activity_on ? <LastActivity on={account.last_activity_on} /> : words.never,
    ],
  ]
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {counts ? (
        <div>
          <dt>{words.associations}</dt>
          <dd>{words.counts(counts)}</dd>
        </div>
      ) : null}
    </dl>
  )
}

/** The external identities with which the user signs in. */
function Identities({ account }: { account: Account }) {
  const { id, name, identities } = account
  if (identities.length === 0) return null
  const remove = (provider: string) =>
    confirmBefore({
      title: words.removeIdentityTitle(provider),
      text: words.removeIdentityText(name, provider),
      action: words.removeIdentity,
      run: async () => {
        await call('DELETE /users/:id/identities/:provider', { id, provider })
        invalidate(usersUrl)
      },
    })
  return (
    <Section title={words.identities}>
      <List label={words.identities}>
        {identities.map(({ provider, extern_uid }) => (
          <ListRow
            key={provider}
            aside={
              <Button look="quiet" onClick={() => remove(provider)}>
                {words.removeIdentity}
                <span class="only-spoken"> {provider}</span>
              </Button>
            }
          >
            <strong>{provider}</strong> <span class="muted">{extern_uid}</span>
          </ListRow>
        ))}
      </List>
    </Section>
  )
}

function Memberships({ id }: { id: number }) {
  const { data } = useAllPages('GET /users/:user_id/memberships', { user_id: id, per_page: 100 })
  if (!data?.length) return null
  return (
    <Section title={words.memberships}>
      <List label={words.memberships}>
        {data.map(({ source_id, source_name, source_type, access_level }) => (
          <ListRow
            key={`${source_type} ${source_id}`}
            aside={<Chip>{levelNames[access_level]}</Chip>}
          >
            {source_name}
          </ListRow>
        ))}
      </List>
    </Section>
  )
}

function Change({ account }: { account: Account }) {
  return (
    <Section title={words.account}>
      <Form
        action={words.save}
        onSubmit={async (values) => {
          const changed = await call('PUT /users/:id', {
            id: account.id,
            name: values.text('name'),
            username: values.text('username'),
            email: values.text('email'),
            projects_limit: Number(values.text('projects_limit')),
            admin: values.has('admin'),
            can_create_group: values.has('can_create_group'),
            external: values.has('external'),
            note: values.text('note'),
          })
          invalidate(usersUrl)
          showToast(words.saved)
          if (changed.username !== account.username)
            navigate(`/admin/users/${changed.username}`, { replace: true })
        }}
      >
        <TextField label={words.name} name="name" required defaultValue={account.name} />
        <TextField
          label={words.username}
          name="username"
          required
          defaultValue={account.username}
        />
        <TextField
          label={words.email}
          name="email"
          type="email"
          required
          defaultValue={account.email}
        />
        <TextField
          label={words.projectsLimit}
          name="projects_limit"
          type="number"
          required
          defaultValue={String(account.projects_limit)}
        />
        <CheckField label={words.isAdmin} name="admin" defaultChecked={account.is_admin} />
        <CheckField
          label={words.canCreateGroups}
          name="can_create_group"
          defaultChecked={account.can_create_group}
        />
        <CheckField
          label={words.isExternal}
          hint={words.isExternalHint}
          name="external"
          defaultChecked={account.external}
        />
        <TextArea label={words.note} name="note" defaultValue={account.note ?? ''} />
      </Form>
    </Section>
  )
}

function NewPassword({ id }: { id: number }) {
  return (
    <Section title={words.newPassword} lead={words.newPasswordLead}>
      <Form
        action={words.setPassword}
        onSubmit={async (values) => {
          await call('PUT /users/:id', { id, password: values.text('password') })
          showToast(words.saved)
        }}
      >
        <TextField
          label={words.newPasswordLabel}
          name="password"
          type="password"
          autocomplete="new-password"
          required
        />
      </Form>
    </Section>
  )
}
