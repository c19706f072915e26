import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { mayReadIssues } from '../../../subjects/issuable.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'

/** Boards can be read by signed-in callers who may read the project's issues, or see the group. */
export const mayReadBoards: Rule<OwningProjectOrGroup> = ({ subject: owner, actor, level }) =>
  actor.user !== undefined &&
  (owner.kind === 'group' || mayReadIssues({ subject: owner.project, actor, level }))

export const mayWriteBoards: Rule<OwningProjectOrGroup> = (facts) =>
  mayReadBoards(facts) && facts.level >= Level.reporter && facts.subject.isUnarchived
