import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Milestone } from './milestone.ts'

/** A milestone was made, closed, opened again or deleted; told in the transaction of it. */
export const milestoneChangedEffect = declareEffect<{
  tx: Db
  clock: Clock
  milestone: Pick<Milestone, 'id' | 'title' | 'project_id'>
  action: 'created' | 'closed' | 'reopened' | 'destroyed'
  user_id: number
}>('a milestone changes')
