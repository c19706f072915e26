import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { readIssues } from '../../../subjects/issuable.ts'
import type { Owner } from '../../../subjects/owner.ts'

/** Whoever is signed in and reads the issues of the project, or sees the group. */
export const readBoards: Rule<Owner> = ({ subject: owner, actor, level }) =>
  actor.user !== undefined &&
  (owner.kind === 'group' || readIssues({ subject: owner.project, actor, level }))

export const writeBoards: Rule<Owner> = (facts) =>
  readBoards(facts) && facts.level >= Level.reporter && facts.subject.isUnarchived
