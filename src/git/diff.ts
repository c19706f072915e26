// The changes of a commit by file. git prints the list (`--raw`) and the patches in the same order.
import { limits } from '../kernel/limits.ts'
import { type Git, spawnGit } from './command.ts'
import { extractPatchText, GitOutputReader } from './git-output-reader.ts'
import { GitResultCache, isLimitExceeded } from './git-result-cache.ts'
import { emptyTreeOid, type Oid } from './names.ts'
import type { Repository } from './repository.ts'

export type FileDiff = {
  /** Both sides have the same path unless the file was renamed. */
  oldPath: string
  newPath: string
  /** Octal; `0` on the side where there is no file. */
  oldMode: string
  newMode: string
  isRenamed: boolean
  /**
   * From the first `@@` on, or the one line about a binary file. Empty when no content changed or the
   * patch has more than `limits.patch_bytes`.
   */
  patch: string
}

/** `isCut`: the list ends at a limit, or git could not report all of it. */
export type Diff = { files: FileDiff[]; isCut: boolean }

const kept_bytes_max = 32 * 1024 * 1024

/** Reads and caches the diffs between two commits. */
export class DiffReader {
  readonly #git: Git
  readonly #kept = new GitResultCache<Diff>(kept_bytes_max, ({ files }) =>
    files.reduce((sum, { patch, newPath }) => sum + 2 * (patch.length + newPath.length) + 200, 100),
  )

  constructor(git: Git) {
    this.#git = git
  }

  /**
   * The changes from `from` to `to`, which are commits or trees. Without `from` everything counts as added.
   * If patches or renames are too much for git, the files are told without them; if the files are, none are
   * told.
   */
  diff(
    repository: Repository,
    { from = emptyTreeOid, to }: { from?: Oid; to: Oid },
  ): Promise<Diff> {
    return this.#kept.get(`${repository.path}\0${from}\0${to}`, async () => {
      const attempts = [
        ['-M', '--raw', '--patch', '--full-index', '--no-ext-diff', '--no-textconv'],
        ['--no-renames', '--raw'],
      ]
      for (const what of attempts) {
        try {
          return await this.#read(repository, ['diff-tree', '-r', '-z', ...what, from, to])
        } catch (error) {
          if (!isLimitExceeded(error)) throw error
        }
      }
      return { files: [], isCut: true }
    })
  }

  async #read(repository: Repository, args: string[]): Promise<Diff> {
    const timeout_ms = limits.diff_timeout_ms
    const { io, exit, kill } = await spawnGit(this.#git, repository, { args, timeout_ms })
    io.end()
    try {
      const { isWhole, ...diff } = await readDiff(io)
      // The socket also ends normally when git died, so the exit status is checked.
      if (isWhole) await exit
      else kill()
      return diff
    } catch (error) {
      kill()
      throw error
    } finally {
      io.destroy()
    }
  }
}

type Change = { oldMode: string; newMode: string; status: string; paths: string[] }

/**
 * Parses the output of git-diff-tree(1) with `--raw -z --patch`: the list, a NUL, the patches. It is parsed as it arrives,
 * up to the limits of every list, whatever page was requested (docs/api/repository.md, "Diff").
 */
export async function readDiff(
  output: AsyncIterable<Buffer>,
): Promise<Diff & { isWhole: boolean }> {
  const printed = new GitOutputReader(output)
  const { changes, bytes: path_bytes } = await readChanges(printed)
  const files: FileDiff[] = []
  let bytes = path_bytes
  let lines = 0
  const isFull = () => files.length === limits.diff_files_max || lines > limits.diff_lines_max
  for (const change of changes.flatMap(splitTypeChange)) {
    if (isFull()) break
    const section =
      bytes < limits.diff_bytes_max ? await printed.takeSection(limits.patch_bytes) : undefined
    const patch = section ? extractPatchText(section, limits.patch_bytes) : ''
    bytes += patch.length
    lines += countLines(patch)
    const [oldPath = '', newPath = oldPath] = change.paths
    files.push({
      oldPath,
      newPath,
      oldMode: change.oldMode,
      newMode: change.newMode,
      isRenamed: oldPath !== newPath,
      patch,
    })
  }
  const isCut = isFull() || path_bytes > limits.diff_bytes_max
  return { files, isCut, isWhole: printed.hasEnded }
}

/** `:mode mode oid oid status NUL path NUL`, with a second path after a rename; then an empty record. */
async function readChanges(
  printed: GitOutputReader,
): Promise<{ changes: Change[]; bytes: number }> {
  const changes: Change[] = []
  let bytes = 0
  for (;;) {
    const head = await printed.takeRecord()
    if (head === undefined || head.length === 0) return { changes, bytes }
    const [oldMode = '', newMode = '', , , status = ''] = head.toString('latin1', 1).split(' ')
    const paths = [await printed.takeRecord()]
    if (/^[RC]/.test(status)) paths.push(await printed.takeRecord())
    if (changes.length === limits.diff_files_max || bytes > limits.diff_bytes_max) continue
    bytes += paths.reduce((sum, path) => sum + (path?.length ?? 0), 0)
    changes.push({
      oldMode: formatOctalMode(oldMode),
      newMode: formatOctalMode(newMode),
      status,
      paths: paths.map((path) => path?.toString() ?? ''),
    })
  }
}

/** Formats a file mode as git prints it, without leading zeros; `0` for a missing file. */
export function formatOctalMode(mode: string): string {
  return Number.parseInt(mode, 8).toString(8)
}

/** Splits the change of a file into a link, or the other way round, into a removal and an addition, as patches have it. */
function splitTypeChange(change: Change): Change[] {
  if (change.status !== 'T') return [change]
  return [
    { ...change, newMode: '0' },
    { ...change, oldMode: '0' },
  ]
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Whether the patch adds (`new`) or removes (`old`) the line of that number. */
export function hasChangedLine(
  patch: string,
  { line, side }: { line: number; side: 'new' | 'old' },
): boolean {
  let oldLine = 0
  let newLine = 0
  for (const text of patch.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text)
    if (hunk) {
      oldLine = Number(hunk[1])
      newLine = Number(hunk[2])
    } else if (text.startsWith('+')) {
      if (side === 'new' && newLine === line) return true
      newLine++
    } else if (text.startsWith('-')) {
      if (side === 'old' && oldLine === line) return true
      oldLine++
    } else if (text.startsWith(' ')) {
      oldLine++
      newLine++
    }
  }
  return false
}
