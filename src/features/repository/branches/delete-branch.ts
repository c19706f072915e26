import { Level } from '../../../access/level.ts'
import type { Facts } from '../../../access/rule.ts'
import { GitError } from '../../../git/errors.ts'
import { zeroOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { mayPushCode, type Project, projectRepository } from '../../../subjects/project.ts'
import {
  type CallerWithLevel,
  listBranchProtectionRules,
  rulesMatchingBranch,
} from '../protected-branches/protected-branch.ts'
import { refusalTexts } from '../pushes/check-push.ts'
import { preparePush } from '../pushes/push.ts'
import { recheckRule } from '../pushes/recheck-access.ts'
import type { Branch } from './branch.ts'

/**
 * Deletes a branch through the API (docs/api/repository.md, "Delete a branch"). The caller has checked that the user may
 * push at all.
 */
export async function deleteBranch(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  { project, caller, branch }: { project: Project; caller: CallerWithLevel; branch: Branch },
): Promise<void> {
  const { git, config } = uses
  await checkDeletion(uses, { subject: project, ...caller }, branch)
  const repository = projectRepository(config, project)
  const update = { name: branch.ref, oldOid: branch.oid, newOid: zeroOid }
  const moved = { moves: [update], user_id: caller.actor.user?.id }
  const { landed } = await preparePush(uses, project, moved)
  try {
    await updateRefs(git.git, repository, {
      updates: [update],
      async confirm() {
        const asked = { ...uses, actor: caller.actor }
        const facts = await recheckRule(asked, project, mayPushCode)
        await checkDeletion(uses, facts, branch)
      },
    })
  } catch (error) {
    if (!(error instanceof GitError) || error.kind !== 'ref-moved') throw error
    // Another request moved or deleted the branch in the meantime.
    throw readRef(repository, branch.ref) ? invalid('Failed to remove branch') : notFound('Branch')
  }
  landed()
}

async function checkDeletion(
  { db }: Pick<Instance, 'db'>,
  { subject: project, actor, level }: Facts<Project>,
  branch: Branch,
): Promise<void> {
  if (branch.name === project.default_branch) throw invalid(refusalTexts.deleteDefault)
  if (level >= Level.maintainer) return
  const rules = await listBranchProtectionRules(db, project.id, actor)
  if (rulesMatchingBranch(rules, branch.name).length > 0)
    throw invalid(refusalTexts.deleteProtected)
}
