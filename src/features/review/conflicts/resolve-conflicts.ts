// Commits the resolution of conflicts: one commit on the source branch that merges the target into it.
import type { Actor, ActorUser } from '../../../access/actor.ts'
import { branchRef, checkTreePath, type Oid } from '../../../git/names.ts'
import { TreeEdit } from '../../../git/tree-edit.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import { type NewObject, newBlob, newCommit, writeObjects } from '../../../git/write.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { badRequest, conflict, forbidden } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { withBranchLock } from '../../repository/commits/branch-lock.ts'
import { mayPush, preparePush } from '../../repository/pushes/push.ts'
import { createRefUpdateRecheck } from '../../repository/pushes/recheck-access.ts'
import { assertWithinQuota } from '../../repository/quotas/quota.ts'
import { type MergeRequestWithProjects, readBranchTips } from '../merge-requests/merge-request.ts'
import { conflictMergeMessage, findMergeConflicts, type MergeConflicts } from './list-conflicts.ts'
import { joinChosenConflictSections } from './sections.ts'

/** The resolution of a file: a side for each section, or the whole text. */
export type ConflictedFileResolution = {
  path: string
  sections?: Record<string, 'ours' | 'theirs'> | undefined
  content?: string | undefined
}

export type ResolvedConflicts = {
  source_sha: string
  target_sha: string
  commit_message?: string | undefined
  files: readonly ConflictedFileResolution[]
}

export const cannotPushError = () => forbidden('Cannot push to source branch')

/**
 * Creates the merge commit, moves the source branch to it as a push does, and returns it. Throws 409 if a branch has moved
 * since the conflicts were read, 400 if a conflict is unresolved, and 403 if the caller may no longer push to the branch.
 */
export async function resolveMergeConflicts(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & { actor: Actor; user: ActorUser },
  whole: MergeRequestWithProjects,
  resolved: ResolvedConflicts,
): Promise<Oid> {
  const { git, db, clock, config, user, actor } = uses
  const { source, request } = whole
  const ref = branchRef(request.source_branch)
  const { sourceRepository } = readBranchTips(config, whole)
  if (!source || !ref || !sourceRepository) throw conflict('Source branch does not exist')
  return withBranchLock(sourceRepository, ref, async () => {
    await assertWithinQuota(db, source.id)
    refuseMoved(readBranchTips(config, whole), resolved)
    const conflicts = await findMergeConflicts(uses, whole)
    if (!conflicts || conflicts.files.length === 0)
      throw conflict('There are no conflicts to resolve')
    refuseMoved(conflicts, resolved)
    const { repository, sourceTip, targetTip } = conflicts
    const { root, objects } = await resolvedTree(git, conflicts, resolved.files)
    const committer = { name: user.name, email: user.commit_email ?? user.email }
    const made = newCommit({
      tree: root,
      parents: [sourceTip, targetTip],
      author: committer,
      committer,
      date: clock(),
      message: resolved.commit_message?.trim()
        ? resolved.commit_message
        : conflictMergeMessage(whole, conflicts),
    })
    const update = { name: ref, oldOid: sourceTip, newOid: made.oid }
    const { landed } = await preparePush(uses, source, { moves: [update], user_id: user.id })
    await writeObjects(repository, [...objects, made])
    await updateRefs(git.git, repository, {
      updates: [update],
      areObjectsKnown: true,
      confirm: createRefUpdateRecheck({ ...uses, actor }, source, {
        may: (facts) => mayPush({ db, config, ...facts }, facts.subject, request.source_branch),
        refusal: cannotPushError,
        pushed: update,
      }),
    })
    landed()
    return made.oid
  })
}

function refuseMoved(
  { sourceTip, targetTip }: { sourceTip: Oid | undefined; targetTip: Oid | undefined },
  { source_sha, target_sha }: ResolvedConflicts,
): void {
  if (source_sha === sourceTip && target_sha === targetTip) return
  throw conflict('The source or target branch has changed since the conflicts were read')
}

/** Returns the merged tree with the resolved files, and the objects to write for it. */
async function resolvedTree(
  git: Instance['git'],
  { repository, tree, files, sourceTip, targetTip }: MergeConflicts,
  given: readonly ConflictedFileResolution[],
): Promise<{ root: Oid; objects: NewObject[] }> {
  const byPath = new Map(given.map((file) => [file.path, file]))
  const edit = new TreeEdit(git.objects, repository, tree)
  const objects: NewObject[] = []
  for (const file of files) {
    if (file.reason !== null) throw badRequest(`${file.path} cannot be resolved here`)
    const resolution = byPath.get(file.path)
    if (!resolution) throw badRequest(`${file.path} is not resolved`)
    byPath.delete(file.path)
    const text =
      resolution.content ?? joinChosenConflictSections(file.sections, resolution.sections ?? {})
    if (text === undefined) throw badRequest(`${file.path} has conflicts that are not resolved`)
    if (text.includes(`<<<<<<< ${sourceTip}`) || text.includes(`>>>>>>> ${targetTip}`)) {
      throw badRequest(`${file.path} still has conflict markers`)
    }
    const bytes = Buffer.from(text)
    if (bytes.length > 2 * limits.merge_requests.conflict_file_bytes_max) {
      throw badRequest(`${file.path} is too large`)
    }
    const checked = checkTreePath(file.path)
    const found = 'path' in checked ? await edit.find(checked.path) : undefined
    if (!('path' in checked) || found?.kind !== 'file')
      throw badRequest(`${file.path} cannot be resolved here`)
    const blob = await newBlob(bytes)
    objects.push(blob)
    await edit.put(checked.path, { mode: found.mode, oid: blob.oid })
  }
  const [unknown] = byPath.keys()
  if (unknown !== undefined) throw badRequest(`${unknown} has no conflicts`)
  const { root, trees } = edit.build()
  return { root, objects: [...objects, ...trees] }
}
