import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { Owner } from '../../../subjects/owner.ts'
import { readMilestones } from './milestone.ts'

export const writeMilestones: Rule<Owner> = (facts) =>
  readMilestones(facts) && facts.level >= Level.developer && facts.subject.isUnarchived
