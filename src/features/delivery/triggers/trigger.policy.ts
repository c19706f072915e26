import { isAdmin } from '../../../access/actor.ts'
import type { Facts, Rule } from '../../../access/rule.ts'
import { isUnarchived, mayAdminProject, type Project } from '../../../subjects/project.ts'

/** Maintainers may read triggers. Changing one also depends on its owner. */
export const mayReadTriggers: Rule<Project> = (facts) =>
  mayAdminProject(facts) && facts.subject.builds_access_level !== 'disabled'
export const mayWriteTriggers: Rule<Project> = (facts) =>
  mayReadTriggers(facts) && isUnarchived(facts.subject)

export function mayChangeTrigger(
  { actor }: Pick<Facts<Project>, 'actor'>,
  { owner_id }: { owner_id: number | null },
): boolean {
  return isAdmin(actor) || owner_id === actor.user?.id
}
