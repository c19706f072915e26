import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'

export type GroupChange = { tx: Db; clock: Clock; group_id: number } & (
  | { action: 'create' | 'destroy' }
  | { action: 'rename'; old_path: string; old_full_path: string }
)

/** Runs when a group is created, moved or deleted; before its row is deleted. */
export const groupChangedEffect = declareEffect<GroupChange>('a group is made, renamed or removed')
