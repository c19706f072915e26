import { anonymous } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { listRefsMergedInto } from '../../../git/ancestry.ts'
import { GitError } from '../../../git/errors.ts'
import { zeroOid } from '../../../git/names.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import { findProject, type Project, projectRepository } from '../../../subjects/project.ts'
import { defineTask } from '../../../tasks/task.ts'
import {
  listBranchProtectionRules,
  rulesMatchingBranch,
} from '../protected-branches/protected-branch.ts'
import { preparePush } from '../pushes/push.ts'
import { type Branch, branchFromRef } from './branch.ts'
import { readDefaultBranchTip } from './show-branches.ts'

type MergedBranchesPayload = { project_id: number }

const batch_size = 500

/**
 * Deletes branches that were merged into the default branch, except the default branch and protected ones.
 * Each run lists the branches again, so an interrupted or repeated run does no harm.
 */
export const deleteMergedBranchesTask = defineTask({
  name: 'delete-merged-branches',
  lane: 'upkeep',
  async run(
    uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
    { project_id }: MergedBranchesPayload,
  ) {
    const found = await findProject(uses.db, anonymous, { id: project_id })
    if (!found) return
    const { project } = found
    const branches = await listMergedBranches(uses, project)
    if (branches.length === 0) return
    const moves = branches.map(updateOf)
    const { landed } = await preparePush(uses, project, { moves, user_id: undefined })
    for (const some of splitIntoBatches(branches, batch_size))
      await deleteBatch(uses, project, some)
    landed()
  },
})

async function listMergedBranches(
  { db, git, config }: Pick<Instance, 'db' | 'git' | 'config'>,
  project: Project,
): Promise<Branch[]> {
  const repository = projectRepository(config, project)
  const tip = readDefaultBranchTip(repository, project)
  if (!tip) return []
  const [refs, isKept] = await Promise.all([
    listRefsMergedInto(git.git, repository, tip, ['refs/heads/']),
    findKept(db, project.id),
  ])
  return refs.map(branchFromRef).filter((branch) => branch.oid !== tip && !isKept(branch))
}

const updateOf = ({ ref, oid }: Branch) => ({ name: ref, oldOid: oid, newOid: zeroOid })

/** Returns a test for branches that must not be deleted now: the default branch and protected branches. */
async function findKept(db: Db, project_id: number): Promise<(branch: Branch) => boolean> {
  const [found, rules] = await Promise.all([
    findProject(db, anonymous, { id: project_id }),
    listBranchProtectionRules(db, project_id, anonymous),
  ])
  return ({ name }) =>
    !found || name === found.project.default_branch || rulesMatchingBranch(rules, name).length > 0
}

/**
 * Deletes all branches at once. If one of them has moved or become protected in the meantime, deletes them
 * one by one instead.
 */
async function deleteBatch(
  uses: Pick<Instance, 'db' | 'git' | 'config'>,
  project: Project,
  branches: readonly Branch[],
): Promise<void> {
  const repository = projectRepository(uses.config, project)
  const updates = branches.map(updateOf)
  try {
    await updateRefs(uses.git.git, repository, {
      updates,
      async confirm() {
        const isKept = await findKept(uses.db, project.id)
        if (branches.some(isKept))
          throw new GitError('ref-moved', 'A branch became protected or unmerged.')
      },
    })
  } catch (error) {
    if (!(error instanceof GitError) || error.kind !== 'ref-moved') throw error
    if (branches.length === 1) return
    for (const branch of branches) await deleteBatch(uses, project, [branch])
  }
}

export const branchTasks = [deleteMergedBranchesTask]
