import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { adminUsers as words } from '../../../text/admin.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { ListFilter } from '../../../ui/list/list-filter.tsx'
import { currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { LastActivity } from './last-activity.tsx'
import { UserMenu, usersUrl } from './user-menu.tsx'

type User = Answer<'GET /users'>[number]

function inputOf({ url: { searchParams } }: PageLocation) {
  const search = searchParams.get('search')
  const state = searchParams.get('state')
  return {
    per_page: 50,
    page: Number(searchParams.get('page') ?? 1),
    ...(search ? { search } : {}),
    ...(state === 'active' ? { active: true } : {}),
    ...(state === 'blocked' ? { blocked: true } : {}),
    ...(state === 'pending' ? { blocked_pending_approval: true } : {}),
    ...(state === 'admins' ? { admins: true } : {}),
  }
}

export const page: PageModule = {
  calls: (at) => [apiReadUrl('GET /users', inputOf(at))],
  View: UserList,
}

function UserList({ at }: { at: PageLocation }) {
  const { data, page: pages } = useApi('GET /users', inputOf(at))
  // The page of members leads here for somebody who was invited and has no account.
  const query = at.url.searchParams
  const asked = at.url.searchParams.get('state') ?? ''
  return (
    <AdminPage
      title={words.title}
      actions={
        <Button
          look="primary"
          onClick={() => replaceUrl(currentUrlWithQuery({ new: 'true' }, at.url))}
        >
          {words.add}
        </Button>
      }
    >
      <Tabs
        label={words.stateFilter}
        tabs={words.states.map(([state, name]) => ({
          words: name,
          href: currentUrlWithQuery({ state, page: undefined }, at.url),
          isHere: asked === state,
        }))}
      />
      <ListFilter label={words.filter} />
      {data ? null : <LoadingRows />}
      {data?.length === 0 ? <EmptyState title={words.noMatches} /> : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((one) => (
            <UserRow key={one.id} one={one} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
      {query.get('new') === 'true' ? (
        <NewUser
          email={query.get('email') ?? ''}
          onClose={() =>
            replaceUrl(currentUrlWithQuery({ new: undefined, email: undefined }, at.url))
          }
        />
      ) : null}
    </AdminPage>
  )
}

function UserRow({ one }: { one: User }) {
  const { name, username, avatar_url, state } = one
  return (
    <ListRow
      aside={
        <>
          {'is_admin' in one && one.is_admin ? <Chip>{words.admin}</Chip> : null}
          <Chip tone={state === 'active' ? 'plain' : 'warning'}>{words.stateNames[state]}</Chip>
          {'last_activity_on' in one && one.last_activity_on ? (
            <span title={words.lastActivity}>
              <span class="only-spoken">{words.lastActivity} </span>
              <LastActivity on={one.last_activity_on} />
            </span>
          ) : null}
          <UserMenu one={one} />
        </>
      }
    >
      <div class="row">
        <Avatar name={name} url={avatar_url} />
        <a data-main href={`/admin/users/${username}`}>
          {name}
        </a>
        <span class="muted">@{username}</span>
        {'email' in one ? <span class="muted one-line">{one.email}</span> : null}
      </div>
    </ListRow>
  )
}

function NewUser({ email, onClose }: { email: string; onClose: () => void }) {
  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form
        action={words.create}
        onSubmit={async (values) => {
          const password = values.text('password')
          await call('POST /users', {
            username: values.text('username'),
            name: values.text('name'),
            email: values.text('email'),
            admin: values.has('admin'),
            ...(password === '' ? { reset_password: true } : { password, skip_confirmation: true }),
          })
          invalidate(usersUrl)
          onClose()
        }}
      >
        <TextField label={words.name} name="name" required />
        <TextField label={words.username} name="username" required autocomplete="off" />
        <TextField label={words.email} name="email" type="email" defaultValue={email} required />
        <TextField
          label={words.password}
          hint={words.passwordHint}
          name="password"
          type="password"
          autocomplete="new-password"
        />
        <CheckField label={words.isAdmin} name="admin" />
      </Form>
    </Dialog>
  )
}
