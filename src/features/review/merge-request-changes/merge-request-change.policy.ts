import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import { isUnarchived, type Project } from '../../../subjects/project.ts'

/** Signed-in callers who see the merge requests of a project may propose changes to it from their fork. */
export const mayProposeMergeInto: Rule<Project> = ({ subject, level, actor }) => {
  const access = subject.merge_requests_access_level
  if (!actor.user || access === 'disabled' || !isUnarchived(subject)) return false
  if (subject.repository_access_level === 'disabled') return false
  if (!canSeeProject(actor, { project: subject, level })) return false
  return access === 'enabled' || level >= Level.guest
}
