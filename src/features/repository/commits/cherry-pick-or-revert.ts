// Cherry-pick and revert: applies the changes of a commit, or their inverse, to the tip of a branch.

import type { ActorUser } from '../../../access/actor.ts'
import { mergeGitTrees } from '../../../git/merge.ts'
import { branchRef, emptyTreeOid, type Oid, type RefName } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import { peelToCommit, readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import { type GitIdentity, newCommit, newTree, writeObjects } from '../../../git/write.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { ApiError, invalid, notFound } from '../../../kernel/errors.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { preparePush } from '../pushes/push.ts'
import type { BranchMove } from '../pushes/recheck-access.ts'
import { assertWithinQuota } from '../quotas/quota.ts'
import { withBranchLock } from './branch-lock.ts'
import { getCommit } from './find-commit.ts'

export type CherryPickOrRevertRequest = {
  kind: 'cherry-pick' | 'revert'
  project: Project
  user: ActorUser
  sha: string
  branch: string
  /** Whether to only check that the changes apply. */
  isDryRun: boolean
  /** Replaces the default message, which names the original commit. */
  message?: string
  /** Rechecks right before the update whether the caller may move the branch. Throws if not. */
  confirm: (move: BranchMove) => Promise<void>
}

/**
 * Returns the new tip of the branch; undefined for a successful dry run. The caller has checked that the user may push.
 * Refusals are those of docs/api/repository.md, "Cherry-pick and revert".
 */
export async function cherryPickOrRevert(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  request: CherryPickOrRevertRequest,
): Promise<Commit | undefined> {
  const { git, config } = uses
  const repository = projectRepository(config, request.project)
  const commit = await getCommit(git, repository, request.sha)
  const ref = branchRef(request.branch)
  if (!ref) throw invalid('The branch refname is invalid')
  const oid = await withBranchLock(repository, ref, () =>
    attemptPick(uses, { repository, ref, commit }, request),
  )
  return oid && git.objects.commit(repository, oid)
}

type Place = { repository: Repository; ref: RefName; commit: Commit }

async function attemptPick(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  { repository, ref, commit }: Place,
  request: CherryPickOrRevertRequest,
): Promise<Oid | undefined> {
  await assertWithinQuota(uses.db, request.project.id)
  const { git, clock } = uses
  const oldTip = readRef(repository, ref)
  const tipOid = oldTip && (await peelToCommit(git.objects, repository, oldTip))
  const tip = tipOid && (await git.objects.commit(repository, tipOid))
  if (!tip) throw notFound('Branch')
  // A merge commit is compared with its first parent, the branch that it was merged into.
  const [parentOid] = commit.parents
  const parent = parentOid && (await git.objects.commit(repository, parentOid))
  const [base, theirs] =
    request.kind === 'revert' ? [commit.tree, parent?.tree] : [parent?.tree, commit.tree]
  const tree = await mergeGitTrees(
    git.git,
    repository,
    { base, ours: tip.tree, theirs },
    { isTrial: request.isDryRun },
  )
  if (!tree) throw cannotPick(request.kind, 'conflict')
  if (tree === tip.tree) throw cannotPick(request.kind, 'empty')
  if (request.isDryRun) return undefined
  const { user } = request
  const committer: GitIdentity = { name: user.name, email: user.commit_email ?? user.email }
  const picked = newCommit({
    tree,
    parents: [tip.oid],
    author: request.kind === 'revert' ? committer : commit.author,
    committer,
    date: clock(),
    message: request.message || messageOf(request.kind, commit),
  })
  const update = { name: ref, oldOid: tip.oid, newOid: picked.oid }
  const push = { moves: [update], user_id: user.id }
  const { ownRule, landed } = await preparePush(uses, request.project, push)
  // git knows the empty tree without an object, but other git clients may not, so it is stored.
  const trees = tree === emptyTreeOid ? [newTree([])] : []
  await writeObjects(repository, [...trees, picked])
  await updateRefs(git.git, repository, {
    updates: [update],
    areObjectsKnown: true,
    confirm: () => request.confirm({ update, isForced: false, ownRule }),
  })
  landed()
  return picked.oid
}

function messageOf(kind: CherryPickOrRevertRequest['kind'], { oid, message }: Commit): string {
  const title = message.split('\n', 1)[0] ?? ''
  return kind === 'revert'
    ? `Revert "${title}"\n\nThis reverts commit ${oid}`
    : `${message.trimEnd()}\n\n(cherry picked from commit ${oid})`
}

const words = {
  'cherry-pick': ['cherry-pick', 'cherry-picked'],
  revert: ['revert', 'reverted'],
} as const

/**
 * Returns the error for an empty or conflicting result. The text is the same for both; clients distinguish
 * them by `error_code`.
 */
function cannotPick(
  kind: CherryPickOrRevertRequest['kind'],
  error_code: 'empty' | 'conflict',
): ApiError {
  const [verb, done] = words[kind]
  return new ApiError(
    'invalid',
    `Sorry, we cannot ${verb} this commit automatically. This commit may already have been ${done}, or a more recent commit may have updated some of its content.`,
    { extra: { error_code } },
  )
}
