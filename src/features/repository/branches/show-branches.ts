import type { Static } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import { findRefOidsMergedInto } from '../../../git/ancestry.ts'
import { branchRef, type Oid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Project, projectRepository, projectUrl } from '../../../subjects/project.ts'
import { listBranchProtectionRules } from '../protected-branches/protected-branch.ts'
import { findCollaborativeBranches } from '../pushes/collaboration.ts'
import { type BranchJson, presentBranch } from './branch.present.ts'
import type { Branch } from './branch.ts'

export type ShowBranchesContext = Pick<Instance, 'db' | 'git' | 'config'> & {
  actor: Actor
  level: number
  baseUrl: string
}

/** Returns the records of a page of branches. Runs one query and at most one process for all of them. */
export async function showBranches(
  { db, git, config, actor, level, baseUrl }: ShowBranchesContext,
  project: Project,
  branches: readonly Branch[],
): Promise<Static<typeof BranchJson>[]> {
  const repository = projectRepository(config, project)
  const tip = readDefaultBranchTip(repository, project)
  const refs = branches.map(({ ref, oid }) => ({ name: ref, oid }))
  const facts = { subject: project, level, actor }
  const [rules, reachable, commits, collaborations] = await Promise.all([
    listBranchProtectionRules(db, project.id, actor),
    tip ? findRefOidsMergedInto(git.git, repository, { into: tip, refs }) : new Set<Oid>(),
    Promise.all(branches.map(({ oid }) => git.objects.commit(repository, oid))),
    findCollaborativeBranches(db, facts),
  ])
  return branches.flatMap((branch, index) => {
    const commit = commits[index]
    // The commit may be gone if the branch was deleted after it was listed.
    if (!commit) return []
    const view = presentBranch({
      branch,
      commit,
      isMerged: branch.oid !== tip && reachable.has(branch.oid),
      project,
      projectUrl: projectUrl(baseUrl, project),
      rules,
      caller: { actor, level },
      collaborations,
    })
    return [view]
  })
}

export async function showBranch(viewing: ShowBranchesContext, project: Project, branch: Branch) {
  const [shown] = await showBranches(viewing, project, [branch])
  if (!shown)
    throw new Error(`The commit of branch ${branch.name} was not found in project ${project.id}.`)
  return shown
}

export function readDefaultBranchTip(repository: Repository, project: Project): Oid | undefined {
  const ref = project.default_branch === null ? undefined : branchRef(project.default_branch)
  return ref && readRef(repository, ref)
}
