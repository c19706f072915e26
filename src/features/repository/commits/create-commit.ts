// Creates a commit from file actions without a working copy, for the commits and files APIs.

import type { ActorUser } from '../../../access/actor.ts'
import { copyCommitFrom } from '../../../git/copy-commit.ts'
import { countChangedLines } from '../../../git/count-changed-lines.ts'
import type { DiffStat } from '../../../git/diff-stat.ts'
import { GitError } from '../../../git/errors.ts'
import { isFastForward } from '../../../git/fast-forward.ts'
import { type GitAttributesFile, parseGitAttributes } from '../../../git/git-attributes.ts'
import {
  asOid,
  branchRef,
  checkTreePath,
  type Oid,
  type RefName,
  type TreePath,
  type TreePathProblem,
  zeroOid,
} from '../../../git/names.ts'
import { hasBranches, readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { TreeEdit } from '../../../git/tree-edit.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import {
  type GitIdentity,
  type NewObject,
  newBlob,
  newCommit,
  writeObjects,
} from '../../../git/write.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { applyLfsCleanFilter } from '../lfs/apply-lfs-clean-filter.ts'
import { preparePush } from '../pushes/push.ts'
import type { BranchMove } from '../pushes/recheck-access.ts'
import { assertWithinQuota } from '../quotas/quota.ts'
import { withBranchLock } from './branch-lock.ts'

export type FileAction = {
  action: 'create' | 'update' | 'delete' | 'move' | 'chmod'
  file_path: string
  previous_path?: string
  content?: Buffer
  last_commit_id?: string
  execute_filemode?: boolean
}

export type CommitRequest = {
  project: Project
  user: ActorUser
  branch: string
  start_branch?: string
  start_sha?: string
  /** The project of the start commit, if it is another one. The caller may read its code. */
  start_project?: Project
  message: string
  author?: { name?: string; email?: string }
  actions: readonly FileAction[]
  /** Whether to replace the history of an existing branch by the new commit. */
  force?: boolean
  /** Rechecks right before the update whether the caller may move the branch. Throws if not. */
  confirm: (move: BranchMove) => Promise<void>
  /** Returns the text of the refusal for a file whose last commit is not the given one. */
  staleMessage: (action: FileAction) => string
  /** Whether to refuse a commit that would not change the tree. */
  refusesUnchanged?: boolean
}

/**
 * Creates a commit and moves the branch to it, or changes nothing. The caller has checked that the user may push to the
 * branch, and `confirm` checks it again. Refusals have the texts of docs/api/repository.md, "Commit of several actions" and
 * "Files".
 */
export async function createCommit(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  request: CommitRequest,
): Promise<Oid> {
  const repository = projectRepository(uses.config, request.project)
  const target = branchRef(request.branch)
  if (!target) {
    throw invalid(
      `Something went wrong when we tried to create '${request.branch}' for you: Branch name is invalid`,
    )
  }
  return withBranchLock(repository, target, () => attemptCommit(uses, repository, target, request))
}

async function attemptCommit(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  repository: Repository,
  target: RefName,
  request: CommitRequest,
): Promise<Oid> {
  const { git, clock, config } = uses
  const { project, start_project = project } = request
  await assertWithinQuota(uses.db, request.project.id)
  const oldTip = readRef(repository, target)
  const from = projectRepository(config, start_project)
  const parent = await findStart(uses, from, oldTip, request)
  if (parent) await copyCommitFrom(git.git, { from, repository, oid: parent })
  const parentTree = parent && (await git.objects.commit(repository, parent))?.tree
  const tree = new TreeEdit(git.objects, repository, parentTree)
  const blobs: NewObject[] = []
  const contents: Progress['contents'] = new Map()
  const touched = new Set<string>()
  const gitAttributes = new Map<Oid, GitAttributesFile>()
  const progress = { repository, tree, parent, blobs, contents, touched, gitAttributes }
  for (const action of request.actions) await apply(uses, progress, action, request)
  const { root, trees } = tree.build()
  if (request.refusesUnchanged && root === parentTree) {
    throw invalid('The content is identical to the current content of the file')
  }
  const { author, committer } = identities(request)
  const commit = newCommit({
    tree: root,
    parents: parent ? [parent] : [],
    author,
    committer,
    date: clock(),
    message: request.message,
  })
  const isForced = await dropsHistory(uses, repository, { oldTip, parent })
  const update = { name: target, oldOid: oldTip ?? zeroOid, newOid: commit.oid }
  const { ownRule, landed } = await preparePush(uses, project, {
    moves: [update],
    user_id: request.user.id,
  })
  await writeObjects(repository, [...blobs, ...trees, commit])
  git.objects.keepWritten(repository, [...trees, commit])
  await updateRefs(git.git, repository, {
    updates: [update],
    areObjectsKnown: true,
    confirm: () => request.confirm({ update, isForced, ownRule }),
  })
  landed()
  git.history.record(repository, commit.oid, touched)
  const stat = await countLines(uses, progress, request.actions.length)
  if (stat) git.stats.record(repository, commit.oid, stat)
  return commit.oid
}

/**
 * Returns the line counts of a commit that only wrote a few small files, each once. Returns undefined for
 * other commits, for which git has to count, since files may have been renamed.
 */
async function countLines(
  { git }: Pick<Instance, 'git'>,
  { repository, contents }: Progress,
  actions: number,
): Promise<DiffStat | undefined> {
  if (contents.size < actions || actions > counted_files_max) return undefined
  const sum = { additions: 0, deletions: 0, total: 0 }
  for (const { before, after } of contents.values()) {
    const size = before && (await git.objects.info(repository, before))?.size
    if ((size ?? 0) + after.length > counted_bytes_max) return undefined
    const old = before ? (await git.objects.blob(repository, before))?.content : none
    const stat = old && countChangedLines(old, after)
    if (!stat) return undefined
    sum.additions += stat.additions
    sum.deletions += stat.deletions
    sum.total += stat.total
  }
  return sum
}

const none = Buffer.alloc(0)
const counted_files_max = 20
const counted_bytes_max = 256 * 1024

/** Returns whether a commit on `parent` would remove commits from the branch, by the same rule as for pushes. */
async function dropsHistory(
  { git }: Pick<Instance, 'git'>,
  repository: Repository,
  { oldTip, parent }: { oldTip: Oid | undefined; parent: Oid | undefined },
): Promise<boolean> {
  if (!oldTip || !parent || oldTip === parent) return false
  const move = { oldOid: oldTip, newOid: parent }
  return !(await isFastForward(git.git, repository, undefined, move))
}

function identities({ user, author = {} }: CommitRequest): {
  author: GitIdentity
  committer: GitIdentity
} {
  const committer = { name: user.name, email: user.commit_email ?? user.email }
  return {
    committer,
    author: { name: author.name || committer.name, email: author.email || committer.email },
  }
}

/** Returns the parent of the new commit; undefined for the first commit of an empty repository. */
async function findStart(
  { git }: Pick<Instance, 'git'>,
  repository: Repository,
  oldTip: Oid | undefined,
  { project, start_project = project, branch, start_branch, start_sha, force }: CommitRequest,
): Promise<Oid | undefined> {
  const isFromOther = start_project.id !== project.id
  const startsElsewhere =
    isFromOther ||
    start_sha !== undefined ||
    (start_branch !== undefined && start_branch !== branch)
  if (oldTip && startsElsewhere && !force) {
    throw invalid(
      `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
    )
  }
  if (start_sha !== undefined) {
    const oid = asOid(start_sha.toLowerCase())
    if (!oid) throw invalid(`Invalid start_sha '${start_sha}'`)
    const found = await git.objects.commit(repository, oid)
    if (!found) throw invalid(`Cannot find start_sha '${start_sha}'`)
    return oid
  }
  if (startsElsewhere) {
    const ref = branchRef(start_branch ?? branch)
    const tip = ref && readRef(repository, ref)
    if (tip) return tip
  } else if (oldTip) return oldTip
  if (!hasBranches(repository)) return undefined
  const target = branchRef(branch)
  if (!startsElsewhere && target && readRef(repository, target)) {
    throw new GitError('ref-moved', 'Another server has created the branch meanwhile.')
  }
  throw invalid('You can only create or edit files when you are on a branch')
}

const pathMessages: Record<TreePathProblem, (path: string) => string> = {
  empty: () => 'You must provide a file path',
  traversal: () => 'Path cannot include directory traversal',
  invalid: (path) => `invalid path: '${path}'`,
}

function treePath(path: string): TreePath {
  const checked = checkTreePath(path)
  if ('problem' in checked) throw invalid(pathMessages[checked.problem](path))
  return checked.path
}

type Progress = {
  repository: Repository
  tree: TreeEdit
  parent: Oid | undefined
  blobs: NewObject[]
  /** For each written file: its blob in the parent commit and its new content. */
  contents: Map<string, { before: Oid | undefined; after: Buffer }>
  touched: Set<string>
  /** Attribute files that were already parsed, since many actions need the same ones. */
  gitAttributes: Map<Oid, GitAttributesFile>
}

async function apply(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  progress: Progress,
  action: FileAction,
  { project, staleMessage }: CommitRequest,
): Promise<void> {
  const { tree, contents, touched } = progress
  const path = treePath(action.file_path)
  const addContent = (content: Buffer = Buffer.alloc(0)) =>
    addBlob(uses, progress, { project, path, content })
  const source = action.action === 'move' ? treePath(action.previous_path ?? '') : path
  if (action.action === 'create') {
    await refuseOccupied(tree, path)
    const { oid, content } = await addContent(action.content)
    await tree.put(path, { mode: modeOf('100644', action.execute_filemode), oid })
    contents.set(path, { before: undefined, after: content })
    touched.add(path)
    return
  }
  const existing = await tree.find(source)
  if (existing?.kind !== 'file') throw invalid("A file with this name doesn't exist")
  if (action.last_commit_id !== undefined) {
    const last = await lastCommitOf(uses, progress, source)
    if (last !== action.last_commit_id) throw invalid(staleMessage(action))
  }
  switch (action.action) {
    case 'update': {
      const { oid, content } = await addContent(action.content)
      await tree.put(path, { mode: modeOf(existing.mode, action.execute_filemode), oid })
      if (isRegular(existing.mode)) contents.set(path, { before: existing.oid, after: content })
      break
    }
    case 'chmod':
      await tree.put(path, {
        mode: modeOf(existing.mode, action.execute_filemode ?? false),
        oid: existing.oid,
      })
      break
    case 'delete':
      await tree.remove(path)
      break
    case 'move': {
      await tree.remove(source)
      await refuseOccupied(tree, path)
      const { oid } = action.content ? await addContent(action.content) : existing
      await tree.put(path, { mode: existing.mode, oid })
      touched.add(source)
    }
  }
  touched.add(path)
}

async function refuseOccupied(tree: TreeEdit, path: TreePath): Promise<void> {
  const found = await tree.find(path)
  if (found?.kind === 'file' || (await tree.isBelowFile(path))) {
    throw invalid('A file with this name already exists')
  }
  if (found) throw invalid('A directory with this name already exists')
}

const isRegular = (mode: string) => mode === '100644' || mode === '100755'

function modeOf(current: string, isExecutable: boolean | undefined): '100644' | '100755' {
  if (isExecutable === undefined) return current === '100755' ? '100755' : '100644'
  return isExecutable ? '100755' : '100644'
}

async function addBlob(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  progress: Progress,
  { project, path, content }: { project: Project; path: TreePath; content: Buffer },
): Promise<NewObject> {
  const gitAttributesAt = (place: string) => findGitAttributes(uses, progress, place as TreePath)
  const cleaned = await applyLfsCleanFilter(uses, project, { path, content, gitAttributesAt })
  const blob = await newBlob(cleaned)
  progress.blobs.push(blob)
  return blob
}

/** Returns the attribute file at `path`, considering the actions applied so far. */
async function findGitAttributes(
  { git }: Pick<Instance, 'git'>,
  { repository, tree, blobs, gitAttributes }: Progress,
  path: TreePath,
): Promise<GitAttributesFile | undefined> {
  const found = await tree.find(path)
  if (found?.kind !== 'file') return undefined
  const kept = gitAttributes.get(found.oid)
  if (kept) return kept
  const fresh = blobs.find(({ oid }) => oid === found.oid)
  const content = fresh?.content ?? (await git.objects.blob(repository, found.oid))?.content
  if (!content || content.length > limits.git_attributes_bytes) return undefined
  const file = parseGitAttributes(content)
  gitAttributes.set(found.oid, file)
  return file
}

async function lastCommitOf(
  { git }: Pick<Instance, 'git'>,
  { repository, parent }: Progress,
  path: TreePath,
): Promise<Oid | undefined> {
  return parent && git.history.lastCommit(repository, parent, path)
}
