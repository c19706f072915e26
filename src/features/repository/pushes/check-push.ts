import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import type { Git } from '../../../git/command.ts'
import { isFastForward } from '../../../git/fast-forward.ts'
import { branchNameOf, newBranchRef, newTagRef, type Oid, zeroOid } from '../../../git/names.ts'
import type { ObjectReader } from '../../../git/objects.ts'
import { type Quarantine, quarantineSize } from '../../../git/quarantine.ts'
import { hasBranches } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { RefUpdate } from '../../../git/update-refs.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Project } from '../../../subjects/project.ts'
import { findCodeOwnerPushRefusal } from '../code-owners/code-owners.ts'
import { findLfsLockPushRefusal } from '../lfs/check-locks.ts'
import { hasMissingLfsObjects, missingLfsObjectsText } from '../lfs/check-pointers.ts'
import {
  allowsFirstPushByDevelopers,
  type CallerWithLevel,
  holdsForOwnAndInheritedRules,
  isAllowedByProtectionRules,
  type ProtectionRule,
  rulesMatchingBranch,
} from '../protected-branches/protected-branch.ts'
import {
  isProtectedTag,
  mayCreateTag,
  protectedTagRefusalTexts,
  type TagProtectionRule,
} from '../protected-tags/protected-tag.ts'
import { findQuotaExcess, pushOverQuotaText } from '../quotas/quota.ts'
import { isCollaborativeBranch } from './collaboration.ts'
import { findRepositorySize } from './push.store.ts'

export type PushToCheck = {
  db: Db
  git: Git
  objects: ObjectReader
  repository: Repository
  project: Project
  caller: CallerWithLevel
  rules: readonly ProtectionRule[]
  tagRules: readonly TagProtectionRule[]
  /** The branches that the caller may push to because of merge requests. */
  collaborations: ReadonlySet<string>
  updates: readonly RefUpdate[]
  /** Contains the new objects; undefined if the push has none. */
  quarantine: Quarantine | undefined
  /** The ids of the attribute files among the new objects. */
  gitAttributes: readonly Oid[]
  /** Cached results of `isFastForward`, since each costs a walk of the history and never changes. */
  fastForwards: Map<string, boolean>
  /** Cached results of `findCodeOwnerPushRefusal`. */
  codeOwnerTexts: Map<string, string | undefined>
  /** Whether the tier has approvals by code owners, which only paid tiers have. */
  hasCodeOwners: boolean
  /** Pushes are refused once the repository has this size. */
  repository_bytes_max: number
  /** The page with the members of the project, for pushers who need help. */
  membersUrl: string
}

/** Refusals with the same text for git pushes and for operations on branches. */
export const refusalTexts = {
  deleteDefault: 'The default branch of a project cannot be deleted.',
  deleteProtected:
    'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.',
  objectName: 'You cannot create a branch with a 40-character hexadecimal branch name.',
  branchName: 'You cannot create a branch with an invalid name.',
  tagName: 'You cannot create a tag with a prohibited pattern.',
  createProtected: 'You are not allowed to create protected branches on this project.',
  force: 'You are not allowed to force push code to a protected branch on this project.',
  protectedBase:
    'You can only use an existing protected branch ref as the basis of a new protected branch.',
  repositoryFull:
    'Your push has been rejected, because this repository has exceeded its size limit. Please contact your administrator for more information.',
  tooManyMoves: `A push moves at most ${limits.push_protected_moves_max} protected branches. Please push them in parts.`,
} as const

/** Whether git would take the name, or its first part, for the id of a commit. */
export function looksLikeObjectName(branch: string): boolean {
  return /^[0-9a-f]{40}(-?\/|$)/.test(branch)
}

/** Returns the first reason to refuse the push; undefined if there is none. */
export async function findPushRefusal(push: PushToCheck): Promise<string | undefined> {
  const refusal = await findRuleRefusal(push)
  if (refusal) return refusal
  if (await hasMissingLfsObjects(push)) return missingLfsObjectsText
  return findLfsLockPushRefusal({ ...push, user_id: push.caller.actor.user?.id })
}

/** As `findPushRefusal`, without the checks of new objects, whose results do not change while the push waits. */
export async function findRuleRefusal(push: PushToCheck): Promise<string | undefined> {
  const { repository, project, caller } = push
  if (caller.level < Level.developer && !push.updates.every((move) => isLetMove(push, move))) {
    return 'You are not allowed to push code to this project.'
  }
  const size_bytes = await findRepositorySize(push.db, project.id)
  if (size_bytes > push.repository_bytes_max) return refusalTexts.repositoryFull
  const overQuota = await findQuotaRefusal(push)
  if (overQuota) return overQuota
  const isBeginning = !hasBranches(repository)
  const mayBegin =
    caller.level >= Level.maintainer ||
    allowsFirstPushByDevelopers(project.namespace_default_branch_protection)
  for (const update of push.updates) {
    const branch = branchNameOf(update.name)
    if (branch !== undefined && isBeginning && !mayBegin) return beginningText(push)
    const refusal =
      branch === undefined ? checkTag(push, update) : await checkBranch(push, update, branch)
    if (refusal) return refusal
  }
  return undefined
}

/**
 * Returns whether a merge request lets the caller move the reference. The caller may create and delete no
 * branches.
 */
function isLetMove(push: PushToCheck, { name, oldOid, newOid }: RefUpdate): boolean {
  const branch = branchNameOf(name)
  if (branch === undefined || oldOid === zeroOid || newOid === zeroOid) return false
  return isCollaborativeBranch(branch, push)
}

/** Returns the refusal of a push that would exceed the quota. Pushes that only delete free space. */
async function findQuotaRefusal({
  db,
  project,
  updates,
  quarantine,
}: PushToCheck): Promise<string | undefined> {
  if (updates.every(({ newOid }) => newOid === zeroOid)) return undefined
  const bytes = quarantine ? await quarantineSize(quarantine) : 0
  const excess = await findQuotaExcess(db, project.id, { bytes, goesTo: 'repository' })
  return excess && pushOverQuotaText(excess)
}

function beginningText({ project, membersUrl }: PushToCheck): string {
  const branch = project.default_branch ?? 'main'
  return [
    `A default branch (e.g. ${branch}) does not yet exist for ${project.full_path}`,
    'Ask a project Owner or Maintainer to create a default branch:',
    '',
    `  ${membersUrl}`,
    '',
  ].join('\n')
}

async function checkBranch(
  push: PushToCheck,
  update: RefUpdate,
  branch: string,
): Promise<string | undefined> {
  const { project, caller } = push
  const isCreation = update.oldOid === zeroOid
  const isDeletion = update.newOid === zeroOid
  if (isDeletion && branch === project.default_branch) {
    return refusalTexts.deleteDefault
  }
  if (!isDeletion && looksLikeObjectName(branch)) return refusalTexts.objectName
  if (!isDeletion && !newBranchRef(branch)) return refusalTexts.branchName
  const matching = rulesMatchingBranch(push.rules, branch)
  if (matching.length === 0) return undefined
  if (isDeletion) {
    return caller.level >= Level.maintainer
      ? 'You can only delete protected branches using the web interface.'
      : refusalTexts.deleteProtected
  }
  const mayPush = isAllowedByProtectionRules(matching, 'push', caller)
  if (isCreation) {
    if (mayPush) return undefined
    return isAllowedByProtectionRules(matching, 'merge', caller)
      ? 'You can only create protected branches using the web interface and API.'
      : refusalTexts.createProtected
  }
  if (!mayForce(matching)) {
    const isForward = await goesOn(push, update)
    if (isForward === undefined) return refusalTexts.tooManyMoves
    if (!isForward) return refusalTexts.force
  }
  if (!mayPush) return 'You are not allowed to push code to protected branches on this project.'
  return push.hasCodeOwners
    ? findCodeOwnerPushRefusal(push, push.repository, { ...push, matching, update })
    : undefined
}

/** Callers who may push may create and delete tags; moving one requires a Maintainer. A protected tag never moves. */
function checkTag({ tagRules, caller }: PushToCheck, update: RefUpdate): string | undefined {
  const prefix = 'refs/tags/'
  if (!update.name.startsWith(prefix)) return undefined
  const tag = update.name.slice(prefix.length)
  const isDeletion = update.newOid === zeroOid
  if (!isDeletion && !newTagRef(tag)) return refusalTexts.tagName
  if (update.oldOid === zeroOid) {
    return mayCreateTag(tagRules, tag, caller) ? undefined : protectedTagRefusalTexts.create
  }
  const isMaintainer = caller.level >= Level.maintainer
  if (!isDeletion && !isMaintainer) return protectedTagRefusalTexts.change
  if (!isProtectedTag(tagRules, tag)) return undefined
  if (!isDeletion) return protectedTagRefusalTexts.update
  return isMaintainer ? protectedTagRefusalTexts.deleteByPush : protectedTagRefusalTexts.delete
}

/**
 * Whether users who may push may also force-push. One matching rule that allows it is enough, for the project and for its
 * groups.
 */
export function mayForce(matching: readonly ProtectionRule[]): boolean {
  return (
    matching.length === 0 ||
    holdsForOwnAndInheritedRules(matching, (rules) =>
      rules.some(({ allow_force_push }) => allow_force_push),
    )
  )
}

/** Returns whether the update is a fast-forward; undefined if the push requires too many of these checks. */
async function goesOn(
  { git, repository, quarantine, fastForwards }: PushToCheck,
  update: RefUpdate,
): Promise<boolean | undefined> {
  const key = update.oldOid + update.newOid
  const known = fastForwards.get(key)
  if (known !== undefined) return known
  if (fastForwards.size === limits.push_protected_moves_max) return undefined
  const found = await isFastForward(git, repository, quarantine, update)
  fastForwards.set(key, found)
  return found
}
