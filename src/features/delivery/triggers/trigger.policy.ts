import { isAdmin } from '../../../access/actor.ts'
import type { Facts, Rule } from '../../../access/rule.ts'
import { adminProject, isUnarchived, type Project } from '../../../subjects/project.ts'

/** Maintainers; whose trigger it is decides about changing it besides. */
export const readTriggers: Rule<Project> = (facts) =>
  adminProject(facts) && facts.subject.builds_access_level !== 'disabled'
export const writeTriggers: Rule<Project> = (facts) =>
  readTriggers(facts) && isUnarchived(facts.subject)

export function mayChangeTrigger(
  { actor }: Pick<Facts<Project>, 'actor'>,
  { owner_id }: { owner_id: number | null },
): boolean {
  return isAdmin(actor) || owner_id === actor.user?.id
}
