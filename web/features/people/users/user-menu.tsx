// What an administrator may do with the account of somebody else.
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { impersonate } from '../../../api/impersonation.ts'
import { user } from '../../../api/session.ts'
import { adminUsers as words } from '../../../text/admin.ts'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { navigate } from '../../../ui/navigation.ts'

export const usersUrl = '/api/v4/users'

type Account = Pick<Answer<'GET /users'>[number], 'id' | 'name' | 'username' | 'state'> & {
  two_factor_enabled?: boolean
  is_admin?: boolean
}
type Route =
  | 'POST /users/:id/block'
  | 'POST /users/:id/unblock'
  | 'POST /users/:id/deactivate'
  | 'POST /users/:id/activate'
  | 'POST /users/:id/approve'
  | 'POST /users/:id/ban'
  | 'POST /users/:id/unban'

const moves: Readonly<Record<Account['state'], readonly (readonly [string, Route])[]>> = {
  active: [
    [words.block, 'POST /users/:id/block'],
    [words.deactivate, 'POST /users/:id/deactivate'],
    [words.ban, 'POST /users/:id/ban'],
  ],
  blocked: [[words.unblock, 'POST /users/:id/unblock']],
  deactivated: [[words.activate, 'POST /users/:id/activate']],
  banned: [[words.unban, 'POST /users/:id/unban']],
  blocked_pending_approval: [[words.approve, 'POST /users/:id/approve']],
}

/** Nothing for oneself. */
export function UserMenu({ one, onRemoved }: { one: Account; onRemoved?: () => void }) {
  const { id, name, username, state } = one
  if (id === user.value?.id) return null
  const after = () => invalidate(usersUrl)
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      typed: username,
      run: async () => {
        await call('DELETE /users/:id', { id })
        after()
        onRemoved?.()
      },
    })
  const reject = () =>
    confirmBefore({
      title: words.rejectTitle(name),
      text: words.rejectText,
      action: words.reject,
      run: async () => {
        await call('POST /users/:id/reject', { id })
        after()
        onRemoved?.()
      },
    })
  const disableTwoFactor = () =>
    confirmBefore({
      title: words.disableTwoFactorTitle(name),
      text: words.disableTwoFactorText,
      action: words.disableTwoFactor,
      run: async () => {
        await call('PATCH /users/:id/disable_two_factor', { id })
        after()
      },
    })
  const actAs = () =>
    confirmBefore({
      title: words.impersonateTitle(name),
      text: words.impersonateText(name),
      action: words.impersonate,
      run: async () => {
        await impersonate(id)
        navigate('/')
      },
    })
  return (
    <Menu
      look="quiet"
      label={words.actionsFor(name)}
      items={[
        state === 'active' && { words: words.impersonate, run: actAs },
        ...moves[state].map(([name_words, route]) => ({
          words: name_words,
          run: () => void call(route, { id }).then(after),
        })),
        // An administrator's is turned off on the server alone.
        one.two_factor_enabled &&
          !one.is_admin && { words: words.disableTwoFactor, run: disableTwoFactor },
        state === 'blocked_pending_approval'
          ? { words: words.reject, run: reject, isDanger: true }
          : { words: words.remove, run: remove, isDanger: true },
      ]}
    >
      {words.menuSign}
    </Menu>
  )
}
