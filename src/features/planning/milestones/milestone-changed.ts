import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Milestone } from './milestone.ts'

/** Runs in the transaction that creates, closes, reopens or deletes a milestone. */
export const milestoneChangedEffect = declareEffect<{
  tx: Db
  clock: Clock
  milestone: Pick<Milestone, 'id' | 'title' | 'project_id'>
  action: 'created' | 'closed' | 'reopened' | 'destroyed'
  user_id: number
}>('a milestone changes')
