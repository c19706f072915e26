import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'

/** Runs in the transaction that enables auto-merge. */
export const autoMergeEnabledEffect = declareEffect<{
  tx: Db
  clock: Clock
  project_id: number
  issuable_id: number
  user_id: number
}>('auto-merge is enabled')
