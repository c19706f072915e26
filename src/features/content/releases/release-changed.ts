import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'

/** Runs in the transaction that creates, changes or deletes a release, before its row is deleted. */
export const releaseChangedEffect = declareEffect<{
  tx: Db
  clock: Clock
  project_id: number
  release_id: number
  action: 'create' | 'update' | 'delete'
  user_id: number
}>('a release changes')
