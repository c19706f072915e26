// Lists the conflicts of merging the target of a merge request into its source.
import { copyCommitFrom } from '../../../git/copy-commit.ts'
import { GitError } from '../../../git/errors.ts'
import { type ConflictedPath, mergeWithConflicts } from '../../../git/merge.ts'
import { checkTreePath, type Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import { TreeEdit } from '../../../git/tree-edit.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type BranchTips,
  type MergeRequestWithProjects,
  readBranchTips,
} from '../merge-requests/merge-request.ts'
import { type ConflictSection, parseConflictSections } from './sections.ts'

/** Why a conflicting file can only be resolved with git. */
export const unresolvableConflictReasons = [
  'not_changed_by_both',
  'binary',
  'too_large',
  'too_many',
  'has_markers',
] as const
export type UnresolvableConflictReason = (typeof unresolvableConflictReasons)[number]

/** `content` has conflict markers. `content` and `sections` are set unless `reason` is. */
export type ConflictedFile =
  | { path: string; reason: UnresolvableConflictReason }
  | { path: string; reason: null; content: string; sections: ConflictSection[] }

export type MergeConflicts = {
  /** The repository of the source, into which the commits of the target were copied. */
  repository: Repository
  sourceTip: Oid
  targetTip: Oid
  /** The merged tree. Files in conflict contain conflict markers. */
  tree: Oid
  files: ConflictedFile[]
}

/**
 * Returns the conflicting files; undefined if a branch is missing, or if the two have no common ancestor. Stores the merged
 * tree in the source repository.
 */
export async function findMergeConflicts(
  { git, config }: Pick<Instance, 'git' | 'config'>,
  whole: MergeRequestWithProjects,
): Promise<MergeConflicts | undefined> {
  const {
    repository: from,
    sourceRepository,
    sourceTip,
    targetTip,
  }: BranchTips = readBranchTips(config, whole)
  if (!sourceRepository || !sourceTip || !targetTip) return undefined
  const repository = sourceRepository
  await copyCommitFrom(git.git, { from, repository, oid: targetTip })
  const sides = { ours: sourceTip, theirs: targetTip }
  const merged = await mergeWithConflicts(git.git, repository, sides).catch((error: unknown) => {
    if (!(error instanceof GitError) || !/unrelated histories/.test(error.stderr)) throw error
    return undefined
  })
  if (!merged) return undefined
  const { tree, conflicts } = merged
  const { conflict_files_max, conflict_bytes_max } = limits.merge_requests
  const listed = conflicts.slice(0, conflict_files_max)
  const edit = new TreeEdit(git.objects, repository, tree)
  const files: ConflictedFile[] = []
  let left = conflict_bytes_max
  for (const conflicted of listed) {
    const file: ConflictedFile =
      conflicts.length > conflict_files_max
        ? { path: conflicted.path, reason: 'too_many' }
        : await readFile({ git, repository, edit, labels: sides }, conflicted)
    left -= file.reason === null ? Buffer.byteLength(file.content) : 0
    files.push(left < 0 ? { path: file.path, reason: 'too_large' } : file)
  }
  return { repository, sourceTip, targetTip, tree, files }
}

const fileModes: ReadonlySet<string> = new Set(['100644', '100755'])

async function readFile(
  {
    git,
    repository,
    edit,
    labels,
  }: {
    git: Instance['git']
    repository: Repository
    edit: TreeEdit
    labels: { ours: Oid; theirs: Oid }
  },
  { path, base, ours, theirs }: ConflictedPath,
): Promise<ConflictedFile> {
  const checked = checkTreePath(path)
  const sides = [base, ours, theirs]
  if (
    'problem' in checked ||
    !ours ||
    !theirs ||
    !sides.every((one) => fileModes.has(one?.mode ?? ''))
  )
    return { path, reason: 'not_changed_by_both' }
  const found = await edit.find(checked.path)
  if (found?.kind !== 'file') return { path, reason: 'not_changed_by_both' }
  const texts: string[] = []
  for (const oid of [found.oid, ours.oid, theirs.oid]) {
    const bytes_max = limits.merge_requests.conflict_file_bytes_max
    const bytes = await git.objects.wholeBlob(repository, oid, bytes_max)
    if (!bytes) return { path, reason: 'too_large' }
    const text = decode(bytes)
    if (text === undefined) return { path, reason: 'binary' }
    texts.push(text)
  }
  const [content = '', before = '', after = ''] = texts
  const sections = parseConflictSections(content, { ours: before, theirs: after }, labels)
  return sections ? { path, reason: null, content, sections } : { path, reason: 'has_markers' }
}

/** Decodes UTF-8; undefined for bytes that are not UTF-8 or contain a NUL. */
function decode(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The default message of the merge commit. */
export function conflictMergeMessage(
  { request }: Pick<MergeRequestWithProjects, 'request'>,
  { files }: Pick<MergeConflicts, 'files'>,
): string {
  const names = files.map(({ path }) => `#   ${path}`)
  const title = `Merge branch '${request.target_branch}' into '${request.source_branch}'`
  return [title, '', '# Conflicts:', ...names, ''].join('\n')
}
