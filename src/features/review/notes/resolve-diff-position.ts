// Resolves the position of a note on the diff of a merge request (docs/api/notes.md, "Positions").
import { type FileDiff, hasChangedLine } from '../../../git/diff.ts'
import { GitError } from '../../../git/errors.ts'
import type { GitAccess } from '../../../git/git.ts'
import { mapOldLineToNew } from '../../../git/map-old-line.ts'
import { asOid, checkTreePath, type Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import { badParameters, badRequest, formatFieldErrors } from '../../../kernel/errors.ts'
import { projectRepository } from '../../../subjects/project.ts'
import type { DiffPositionInput, ResolveDiffPosition } from './position.ts'
import { computeLineCode } from './thread.ts'

export type DiffPosition = {
  base_sha: string
  start_sha: string
  head_sha: string
  position_type: string
  old_path: string | null
  new_path: string | null
  old_line: number | null
  new_line: number | null
  line_range: unknown
}

const noSuchLine = () =>
  badRequest(
    `Note ${formatFieldErrors({ line_code: ["can't be blank", 'must be a valid line code'] })}`,
  )

/** Returns the position to store. Throws 400 for a file or line that is not in the diff. */
export const resolveDiffPosition: ResolveDiffPosition = async ({ git, config, subject }, given) => {
  const types = ['text', 'image', 'file']
  if (!types.includes(given.position_type)) {
    throw badParameters(['position[position_type] does not have a valid value'])
  }
  const repository = projectRepository(config, subject)
  const file = await findFile(git, repository, given)
  if (!file) throw noSuchLine()
  const { base_sha, start_sha, head_sha, position_type } = given
  const shared = { base_sha, start_sha, head_sha, position_type }
  const paths = { old_path: file.oldPath, new_path: file.newPath }
  if (position_type !== 'text') {
    const area = position_type === 'image' ? areaOf(given) : {}
    return { position: { ...shared, ...paths, ...area }, commit_id: null, line_code: null }
  }
  const { old_line = null, new_line = null } = given
  if (!isInDiff(file, { old_line, new_line })) throw noSuchLine()
  const line_range = given.line_range ?? null
  const position = { ...shared, ...paths, old_line, new_line, line_range }
  const path = file.newPath || file.oldPath
  const line_code = computeLineCode({ path, patch: file.patch }, { old_line, new_line })
  return { position, commit_id: null, line_code }
}

/**
 * Returns a point in an image, in pixels from its upper left corner. Throws 400 if the point is missing or
 * outside the image.
 */
function areaOf({ width, height, x, y }: DiffPositionInput) {
  if (width === undefined || height === undefined || x === undefined || y === undefined) {
    throw badRequest(`Note ${formatFieldErrors({ position: ['is incomplete'] })}`)
  }
  if (!(x >= 0 && y >= 0 && x <= width && y <= height)) {
    throw badParameters(['position[x], position[y] are not within the picture'])
  }
  return { width, height, x, y }
}

/** Returns the diff of the file with either of the given names. */
async function findFile(
  git: GitAccess,
  repository: Repository,
  { base_sha, head_sha, new_path, old_path }: DiffPositionInput,
): Promise<FileDiff | undefined> {
  const [from, to] = [asOid(base_sha.toLowerCase()), asOid(head_sha.toLowerCase())]
  if (!from || !to) return undefined
  const isMeant = (file: FileDiff) =>
    (new_path !== undefined && file.newPath === new_path) ||
    (old_path !== undefined && file.oldPath === old_path)
  const found = (await listChangedFilesBetween(git, repository, { from, to })).find(isMeant)
  if (found?.patch) return found
  // A large diff lacks its last files or some patches, so the file is requested by its names.
  const paths = [new_path, old_path].flatMap((path) => {
    const checked = checkTreePath(path ?? '')
    return 'path' in checked ? [checked.path] : []
  })
  if (paths.length === 0) return found
  const alone = await readFiles(git, repository, { from, to, paths })
  return alone.find(isMeant) ?? found
}

async function readFiles(
  git: GitAccess,
  repository: Repository,
  span: { from: Oid; to: Oid; paths: readonly string[] },
): Promise<FileDiff[]> {
  try {
    const page = { offset: 0, per_page: span.paths.length, isExpanded: true }
    const { files } = await git.pagedDiffs.page(repository, { ...span, ignoresSpace: false }, page)
    return files
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return []
  }
}

/** Returns the files that changed between two commits; none if one of the commits is missing. */
export async function listChangedFilesBetween(
  git: GitAccess,
  repository: Repository,
  span: { from: Oid; to: Oid },
): Promise<FileDiff[]> {
  try {
    return (await git.diffs.diff(repository, span)).files
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return []
  }
}

/**
 * Whether the line is in the diff: an added line has a number on the new side, a removed one on the old side, any other
 * on both.
 */
function isInDiff(
  { patch }: FileDiff,
  { old_line, new_line }: { old_line: number | null; new_line: number | null },
): boolean {
  if (old_line !== null && new_line !== null) return mapOldLineToNew(patch, old_line) === new_line
  if (new_line !== null) return hasChangedLine(patch, { line: new_line, side: 'new' })
  return old_line !== null && hasChangedLine(patch, { line: old_line, side: 'old' })
}
