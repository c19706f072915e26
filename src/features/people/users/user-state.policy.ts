// Which users the state of may not be changed, or by whom, in the words an administrator is told (docs/api/users.md, "States").
import type { Permission } from '../../../http/endpoint.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { isInternal, type User } from '../../../subjects/user.ts'
import { barredStates } from './change-state.ts'

type Facts = { user: { id: number }; loaded: User }

export function mayBlock({ user: caller, loaded: user }: Facts): Permission {
  return user.id !== caller.id || forbidden('The API initiating user cannot be blocked by the API')
}

export function mayBan({ user: caller, loaded: user }: Facts): Permission {
  return user.id !== caller.id || forbidden('The API initiating user cannot be banned by the API')
}

export function mayUnblock({ loaded: { state } }: Facts): Permission {
  return state !== 'deactivated' || forbidden('Deactivated users cannot be unblocked by the API')
}

export function mayActivate({ loaded: { state } }: Facts): Permission {
  return (
    !barredStates.includes(state) || forbidden('A blocked user must be unblocked to be activated')
  )
}

export function mayRemove({ loaded: user }: Pick<Facts, 'loaded'>): Permission {
  return !isInternal(user) || forbidden('Internal users cannot be removed by the API')
}
