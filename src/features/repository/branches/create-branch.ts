// Creates a branch by the API, with the order of checks and the messages of docs/api/repository.md, "Create a branch".

import type { ActorUser } from '../../../access/actor.ts'
import { listBranchesContaining } from '../../../git/ancestry.ts'
import { GitError } from '../../../git/errors.ts'
import { branchRef, newBranchRef, zeroOid } from '../../../git/names.ts'
import type { Ref } from '../../../git/ref-list.ts'
import {
  hasBranches,
  hasRoomForRefs,
  readRef,
  resolveCommit,
  tooManyRefsText,
} from '../../../git/refs.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { invalid } from '../../../kernel/errors.ts'
import { mayPushCode, type Project, projectRepository } from '../../../subjects/project.ts'
import { createCommit } from '../commits/create-commit.ts'
import {
  type CallerWithLevel,
  isAllowedByProtectionRules,
  listBranchProtectionRules,
  rulesMatchingBranch,
} from '../protected-branches/protected-branch.ts'
import { looksLikeObjectName, refusalTexts } from '../pushes/check-push.ts'
import { mayPush, preparePush } from '../pushes/push.ts'
import { recheckerForCommit, recheckRule } from '../pushes/recheck-access.ts'
import { type Branch, branchFromRef } from './branch.ts'

export type NewBranch = {
  project: Project
  caller: CallerWithLevel
  user: ActorUser
  name: string
  /** The branch, tag, commit or `HEAD` that the new branch starts from. */
  start: string
}

/** Creates a branch. The caller has checked that the user may push at all. */
export async function createBranch(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  request: NewBranch,
): Promise<Branch> {
  const { git, config } = uses
  const { project, name, start } = request
  const repository = projectRepository(config, project)
  const ref = newBranchRef(name)
  if (!ref) throw invalid('Branch name is invalid')
  await beginRepository(uses, request)
  if (readRef(repository, ref)) throw invalid('Branch already exists')
  const startRef = branchRef(start)
  const oid =
    (startRef && readRef(repository, startRef)) ??
    (await resolveCommit(git.objects, repository, start))
  if (!oid) throw failure(name, `invalid reference name '${start}'`)
  if (looksLikeObjectName(name)) throw invalid(refusalTexts.objectName)
  if (!(await hasRoomForRefs(repository, 1))) throw failure(name, tooManyRefsText)
  let found: ReturnType<typeof listBranchesContaining> | undefined
  const holders = () => (found ??= listBranchesContaining(git.git, repository, oid))
  await checkProtection(uses, request, holders)
  const update = { name: ref, oldOid: zeroOid, newOid: oid }
  const moved = { moves: [update], user_id: request.user.id }
  const { landed } = await preparePush(uses, project, moved)
  try {
    await updateRefs(git.git, repository, {
      updates: [update],
      areObjectsKnown: true,
      async confirm() {
        const asked = { ...uses, actor: request.caller.actor }
        const facts = await recheckRule(asked, project, mayPushCode)
        await checkProtection(uses, { ...request, caller: facts }, holders)
      },
    })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (error.kind === 'ref-moved') throw invalid('Branch already exists')
    if (error.kind !== 'ref-conflict') throw error
    throw failure(name, 'Branch name conflicts with existing branch hierarchy.')
  }
  landed()
  return branchFromRef({ name: ref, oid })
}

function failure(name: string, reason: string) {
  return invalid(`Failed to create branch '${name}': ${reason}`)
}

/**
 * Creates the default branch of an empty repository, with an empty README. Of several concurrent requests
 * only one succeeds.
 */
async function beginRepository(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  { project, caller, user }: NewBranch,
): Promise<void> {
  const repository = projectRepository(uses.config, project)
  if (hasBranches(repository)) return
  const branch = project.default_branch ?? 'main'
  const refusal = () => invalid('You are not allowed to push into this branch')
  const asked = { ...uses, ...caller }
  if (!(await mayPush(asked, project, branch))) throw refusal()
  try {
    await createCommit(uses, {
      project,
      user,
      branch,
      message: 'Add README.md',
      actions: [{ action: 'create', file_path: 'README.md' }],
      staleMessage: () => '',
      confirm: recheckerForCommit(asked, project, { branch, refusal }),
    })
  } catch (error) {
    // Another request, perhaps on another server, may have created the branch in the meantime.
    if (!hasBranches(repository)) throw error
  }
}

/**
 * Callers who may only merge into protected branches may create one only from a commit of another protected
 * branch.
 */
async function checkProtection(
  { db }: Pick<Instance, 'db'>,
  { project, caller, name }: NewBranch,
  holders: () => Promise<readonly Ref[]>,
): Promise<void> {
  const rules = await listBranchProtectionRules(db, project.id, caller.actor)
  const matching = rulesMatchingBranch(rules, name)
  if (matching.length === 0 || isAllowedByProtectionRules(matching, 'push', caller)) return
  if (!isAllowedByProtectionRules(matching, 'merge', caller))
    throw invalid(refusalTexts.createProtected)
  const isHeld = (ref: Ref) => rulesMatchingBranch(rules, branchFromRef(ref).name).length > 0
  if ((await holders()).some(isHeld)) return
  throw invalid(refusalTexts.protectedBase)
}
