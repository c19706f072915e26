import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'

export type GroupChange = { tx: Db; clock: Clock; group_id: number } & (
  | { action: 'create' | 'destroy' }
  | { action: 'rename'; old_path: string; old_full_path: string }
)

/** A group was made, has another path, or goes; told before the row goes. */
export const groupChangedEffect = declareEffect<GroupChange>('a group is made, renamed or removed')
