// Pushes to a fork by members of the project that a merge request from the fork goes into, where its author allows
// that (docs/api/merge-requests.md, "Collaboration").
import type { Facts } from '../../../access/rule.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { branchRef } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import {
  findVisibleProject,
  isUnarchived,
  mayDownloadCode,
  mayPushCode,
  type Project,
  projectRepository,
} from '../../../subjects/project.ts'
import { mayMergeIntoBranchByRules } from '../protected-branches/merge-right.ts'
import {
  listBranchProtectionRules,
  type ProtectionRule,
  rulesMatchingBranch,
} from '../protected-branches/protected-branch.ts'
import { listCollaborativeRequests } from './push.store.ts'

const none: ReadonlySet<string> = new Set()

/**
 * Returns the branches of the project that the caller may push to only because of an open merge request. Empty for callers
 * who may push to the project. Does not consider branch protection.
 */
export async function findCollaborativeBranches(
  db: Db,
  facts: Facts<Project>,
  branches?: readonly string[],
): Promise<ReadonlySet<string>> {
  const { subject: project, actor } = facts
  // Merge requests come only from projects of the same fork network. Most projects have no fork network.
  if (project.fork_network_id === null) return none
  const isPossible =
    actor.user && !mayPushCode(facts) && isUnarchived(project) && mayDownloadCode(facts)
  if (!isPossible || !canSeeProject(actor, { project, level: facts.level })) return none
  const requests = await listCollaborativeRequests(db, { project_id: project.id, branches })
  const targets = [...new Set(requests.map(({ project_id }) => project_id))]
  // Usually there is a single target project, the one that this project was forked from.
  const places = await Promise.all(
    targets.map(async (id) => {
      const found = await findVisibleProject(db, actor, { id })
      if (!found) return undefined
      const rules = await listBranchProtectionRules(db, id, actor)
      return { id, rules, facts: { subject: found.project, level: found.level, actor } }
    }),
  )
  const mayMerge = ({ project_id, target_branch }: (typeof requests)[number]) =>
    places.some(
      (place) =>
        place?.id === project_id &&
        mayMergeIntoBranchByRules(place.rules, place.facts, target_branch),
    )
  return new Set(requests.filter(mayMerge).map(({ source_branch }) => source_branch))
}

/** Whether the caller may push to that branch for an open merge request: the branch exists and is not protected. */
export async function mayPushAsCollaborator(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  facts: Facts<Project>,
  branch: string,
): Promise<boolean> {
  const ref = branchRef(branch)
  if (!ref || !readRef(projectRepository(config, facts.subject), ref)) return false
  if (!(await findCollaborativeBranches(db, facts, [branch])).has(branch)) return false
  return isCollaborativeBranch(branch, {
    collaborations: new Set([branch]),
    rules: await listBranchProtectionRules(db, facts.subject.id, facts.actor),
  })
}

/** Whether one of `collaborations` may be pushed to: a protected branch may not. */
export function isCollaborativeBranch(
  branch: string,
  {
    collaborations,
    rules,
  }: { collaborations: ReadonlySet<string>; rules: readonly ProtectionRule[] },
): boolean {
  return collaborations.has(branch) && rulesMatchingBranch(rules, branch).length === 0
}
