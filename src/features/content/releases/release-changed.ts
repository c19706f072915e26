import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'

/** A release is made, changed or removed; run in the transaction of that, before its row goes. */
export const releaseChangedEffect = declareEffect<{
  tx: Db
  clock: Clock
  project_id: number
  release_id: number
  action: 'create' | 'update' | 'delete'
  user_id: number
}>('a release changes')
