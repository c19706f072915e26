import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { Owner } from '../../../subjects/owner.ts'

/** Whoever is signed in and sees the group, or the project while it has issues or merge requests. */
export const readMilestones: Rule<Owner> = ({ subject: owner, actor, level }) => {
  if (!actor.user) return false
  if (owner.kind === 'group') return true
  const { issues_access_level, merge_requests_access_level } = owner.project
  return [issues_access_level, merge_requests_access_level].some(
    (access) => access === 'enabled' || (access === 'private' && level >= Level.guest),
  )
}

export const writeMilestones: Rule<Owner> = (facts) =>
  readMilestones(facts) && facts.level >= Level.developer && facts.subject.isInUse
