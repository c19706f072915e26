import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { User } from '../../../subjects/user.ts'

export type UserChange = { tx: Db; clock: Clock; user: User } & (
  | { action: 'create' | 'destroy' }
  | { action: 'rename'; old_username: string }
)

/** A user was made, has another name to sign in by, or goes; told before the row goes. */
export const userChangedEffect = declareEffect<UserChange>('a user is made, renamed or removed')
