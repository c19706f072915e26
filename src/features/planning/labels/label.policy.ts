import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { Owner } from '../../../subjects/owner.ts'

/** Whoever is signed in and sees the group, or the project while it has issues or merge requests. */
export const mayReadLabels: Rule<Owner> = ({ subject: owner, actor }) => {
  if (!actor.user) return false
  if (owner.kind === 'group') return true
  const { issues_access_level, merge_requests_access_level } = owner.project
  return issues_access_level !== 'disabled' || merge_requests_access_level !== 'disabled'
}

export const mayWriteLabels: Rule<Owner> = (facts) =>
  mayReadLabels(facts) && facts.level >= Level.reporter && facts.subject.isUnarchived
