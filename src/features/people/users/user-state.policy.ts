// Which users' state may not be changed, or by whom, with the messages for administrators (docs/api/users.md, "States").
import type { Permission } from '../../../http/endpoint.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { isInternalUser, type User } from '../../../subjects/user.ts'
import { barredUserStates } from './change-state.ts'

type Facts = { user: { id: number }; loaded: User }

export function mayBlockUser({ user: caller, loaded: user }: Facts): Permission {
  return user.id !== caller.id || forbidden('The API initiating user cannot be blocked by the API')
}

export function mayBanUser({ user: caller, loaded: user }: Facts): Permission {
  return user.id !== caller.id || forbidden('The API initiating user cannot be banned by the API')
}

export function mayUnblockUser({ loaded: { state } }: Facts): Permission {
  return state !== 'deactivated' || forbidden('Deactivated users cannot be unblocked by the API')
}

export function mayActivateUser({ loaded: { state } }: Facts): Permission {
  return (
    !barredUserStates.includes(state) ||
    forbidden('A blocked user must be unblocked to be activated')
  )
}

export function mayRemoveUser({ loaded: user }: Pick<Facts, 'loaded'>): Permission {
  return !isInternalUser(user) || forbidden('Internal users cannot be removed by the API')
}
