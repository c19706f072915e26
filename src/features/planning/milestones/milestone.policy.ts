import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'
import { mayReadMilestones } from './milestone.ts'

export const mayWriteMilestones: Rule<OwningProjectOrGroup> = (facts) =>
  mayReadMilestones(facts) && facts.level >= Level.developer && facts.subject.isUnarchived
