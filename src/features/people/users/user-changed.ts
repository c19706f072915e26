import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { User } from '../../../subjects/user.ts'

export type UserChange = { tx: Db; clock: Clock; user: User } & (
  | { action: 'create' | 'destroy' }
  | { action: 'rename'; old_username: string }
)

/** Runs when a user is created, renamed or deleted; before the row is deleted. */
export const userChangedEffect = declareEffect<UserChange>('a user is made, renamed or removed')
