import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'
import { mayReadMilestones } from '../milestones/milestone.ts'

/**
 * Labels can be read by signed-in callers who see the group, or the project while they have access to its issues or merge
 * requests.
 */
export const mayReadLabels: Rule<OwningProjectOrGroup> = mayReadMilestones

export const mayWriteLabels: Rule<OwningProjectOrGroup> = (facts) =>
  mayReadLabels(facts) && facts.level >= Level.reporter && facts.subject.isUnarchived
