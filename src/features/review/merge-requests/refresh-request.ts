import { runTransaction } from '../../../db/run-transaction.ts'
import { copyCommitFrom } from '../../../git/copy-commit.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { KeyedMutex } from '../../../kernel/semaphore.ts'
import { insertTodos } from '../../planning/issuables/issuable.ts'
import {
  type BranchTips,
  currentMergeStatus,
  findRequestWithProjects,
  insertNewestVersion,
  type MergeRequest,
  type MergeRequestWithProjects,
  readBranchTips,
  updateMergeStatus,
} from './merge-request.ts'
import { mergeRequestRefName, setMergeRequestRef } from './request-refs.ts'
import { syncCodeOwnerRules } from './sync-code-owner-rules.ts'
import { tryMerge } from './try-merge.ts'

const refreshing = new KeyedMutex()

/**
 * `isRenewed` creates a new version even if the source has not moved, for a target that lost commits.
 * `isChecked` is false to skip the merge check.
 */
type How = { isRenewed?: boolean; isChecked?: boolean }

/** Updates a merge request from its branches and returns it; undefined if it was deleted. Safe to repeat. */
export function syncMergeRequestWithBranches(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  id: number,
  how: How = {},
): Promise<MergeRequestWithProjects | undefined> {
  return refreshing.run(String(id), async () => {
    const whole = await findRequestWithProjects(uses.db, id)
    if (whole?.issuable.state !== 'opened') return whole
    const heads = readBranchTips(uses.config, whole)
    const isMoved = heads.sourceTip !== undefined && heads.sourceTip !== whole.request.head_sha
    const isNew = isMoved || how.isRenewed === true
    if (isNew) await makeVersion(uses, whole, heads)
    else await ensureHeadRef(uses, whole, heads)
    await syncCodeOwnerRules(uses, whole.request, heads)
    if (how.isChecked !== false) await checkStatus(uses, whole, heads)
    return findRequestWithProjects(uses.db, id)
  })
}

/** Whether the merge status and head of an open merge request match its branches. */
export function isUpToDateWithBranches(request: MergeRequest, heads: BranchTips): boolean {
  const status = currentMergeStatus(request, heads)
  if (status === 'unchecked' || status === 'cannot_be_merged_recheck') return false
  return heads.sourceTip === undefined || heads.sourceTip === request.head_sha
}

/** Creates the reference of the head if the process that created the merge request could not. */
async function ensureHeadRef(
  { git }: Pick<Instance, 'git'>,
  { issuable: { iid }, request }: MergeRequestWithProjects,
  { repository, sourceRepository }: BranchTips,
): Promise<void> {
  const oid = request.head_sha as Oid | null
  if (oid === null || readRef(repository, mergeRequestRefName(iid, 'head')) === oid) return
  if (sourceRepository) await copyCommitFrom(git.git, { from: sourceRepository, repository, oid })
  await setMergeRequestRef(git.git, repository, { iid, which: 'head', oid })
}

async function makeVersion(
  { db, git, clock }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  { issuable, request }: MergeRequestWithProjects,
  { repository, sourceRepository, sourceTip, targetTip }: BranchTips,
): Promise<void> {
  if (!sourceRepository || !sourceTip || !targetTip) return
  await copyCommitFrom(git.git, { from: sourceRepository, repository, oid: sourceTip })
  await setMergeRequestRef(git.git, repository, {
    iid: issuable.iid,
    which: 'head',
    oid: sourceTip,
  })
  const measured = await computeVersionStats(git, repository, { sourceTip, targetTip })
  const { commits, ...counts } = measured
  const now = timestamp(clock)
  await runTransaction(db, (tx) =>
    insertNewestVersion(tx, {
      issuable_id: issuable.id,
      before: request.latest_version_id,
      version: { ...counts, head_sha: sourceTip, start_sha: targetTip, created_at: now },
      commits,
    }),
  )
}

/** Returns the commits and files of a version. Runs at most three processes, whose results are cached. */
export async function computeVersionStats(
  git: GitAccess,
  repository: Repository,
  { sourceTip, targetTip }: { sourceTip: Oid; targetTip: Oid },
) {
  const base = await git.mergeBases.of(repository, [targetTip, sourceTip])
  const oids = await listCommitsOfRequest(git, repository, { head: sourceTip, start: targetTip })
  const isEmpty = oids.length === 0
  const diff = isEmpty
    ? { files: [], isCut: false }
    : await git.diffs.diff(repository, { from: base, to: sourceTip })
  return {
    base_sha: base ?? null,
    state: isEmpty ? ('empty' as const) : ('collected' as const),
    files_count: diff.files.length,
    is_cut: diff.isCut,
    commits_count: oids.length,
    commits: oids.slice(0, limits.merge_requests.commits_max),
  }
}

/** Returns the commits of the source that the target did not have, newest first. */
export function listCommitsOfRequest(
  git: GitAccess,
  repository: Repository,
  { head, start }: { head: Oid; start: Oid },
): Promise<Oid[]> {
  const span = { tips: [head], hidden: [start] }
  return git.lists.page(repository, span, {}, { offset: 0, limit: limits.compared_commits_max })
}

async function checkStatus(
  { db, git, clock }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  { issuable, request }: MergeRequestWithProjects,
  { repository, sourceRepository, sourceTip, targetTip }: BranchTips,
): Promise<void> {
  const status = currentMergeStatus(request, { sourceTip, targetTip })
  if (status === 'can_be_merged' || status === 'cannot_be_merged') return
  const areThere = sourceRepository && sourceTip && targetTip
  if (areThere)
    await copyCommitFrom(git.git, { from: sourceRepository, repository, oid: sourceTip })
  const checked =
    areThere &&
    (await tryMerge(git, repository, { ours: targetTip, theirs: sourceTip, isTrial: true }))
  if (checked?.problem === 'conflict' && request.merge_status === 'can_be_merged') {
    const { author_id } = issuable
    const user_ids = [author_id]
    await insertTodos(db, clock, { issuable, author_id, user_ids, action: 'unmergeable' })
  }
  await updateMergeStatus(db, issuable.id, {
    merge_status: checked && !checked.problem ? 'can_be_merged' : 'cannot_be_merged',
    checked_source_sha: sourceTip ?? null,
    checked_target_sha: targetTip ?? null,
    is_behind: checked !== undefined && checked.base !== targetTip,
  })
}
