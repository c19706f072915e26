import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'

/** What else happens when somebody has a merge request merge as soon as its pipeline succeeds; in the transaction. */
export const autoMergeEnabledEffect = declareEffect<{
  tx: Db
  clock: Clock
  project_id: number
  issuable_id: number
  user_id: number
}>('auto-merge is enabled')
