// What a commit changed, file by file. git prints the list (`--raw`) and the patches in the same order.
import { limits } from '../kernel/limits.ts'
import { type Git, runGit } from './command.ts'
import { GitError } from './errors.ts'
import { KeptAnswers } from './kept-answers.ts'
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

const kept_bytes_max = 32 * 1024 * 1024

/** Reads and keeps the diffs of pairs of commits. */
export class DiffReader {
  readonly #git: Git
  readonly #kept = new KeptAnswers<FileDiff[]>(kept_bytes_max, (files) =>
    files.reduce((sum, { patch, newPath }) => sum + 2 * (patch.length + newPath.length) + 200, 100),
  )

  constructor(git: Git) {
    this.#git = git
  }

  /** The changes from `from` to `to`, which may be commits or trees; from nothing without `from`. */
  diff(
    repository: Repository,
    { from = emptyTreeOid, to }: { from?: Oid; to: Oid },
  ): Promise<FileDiff[]> {
    return this.#kept.get(`${repository.path}\0${from}\0${to}`, async () => {
      const run = (...what: string[]) =>
        runGit(this.#git, repository, {
          args: ['diff-tree', '-r', '-z', '-M', '--raw', ...what, from, to],
        })
      try {
        return parseDiff(await run('--patch', '--full-index', '--no-ext-diff', '--no-textconv'))
      } catch (error) {
        if (!(error instanceof GitError) || error.kind !== 'too-large') throw error
        // Too much for anybody to read: the files are told, their contents are not.
        return parseDiff(await run())
      }
    })
  }
}

type Change = { oldMode: string; newMode: string; status: string; paths: string[] }

/** git-diff-tree(1) with `--raw -z --patch`: the list, a NUL, the patches. */
export function parseDiff(output: Buffer): FileDiff[] {
  const { changes, end } = parseRaw(output)
  const sections = splitPatches(output.subarray(end))
  const files: FileDiff[] = []
  let lines = 0
  for (const change of changes.flatMap(splitTypeChange)) {
    const section = sections[files.length]
    // Bounds that no list goes beyond, whatever page is asked for (behaviour: repository, 1.7).
    if (files.length === limits.diff_files_max || lines > limits.diff_lines_max) break
    const patch = section ? patchText(section) : ''
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
  return files
}

/** `:mode mode oid oid status NUL path NUL`, with a second path after a rename. */
function parseRaw(output: Buffer): { changes: Change[]; end: number } {
  const changes: Change[] = []
  let at = 0
  const next = () => {
    const nul = output.indexOf(0, at)
    const text = output.toString('utf8', at, nul < 0 ? output.length : nul)
    at = nul < 0 ? output.length : nul + 1
    return text
  }
  while (output[at] === 58) {
    const [oldMode = '', newMode = '', , , status = ''] = next().slice(1).split(' ')
    const isPair = /^[RC]/.test(status)
    const paths = isPair ? [next(), next()] : [next()]
    changes.push({ oldMode: octal(oldMode), newMode: octal(newMode), status, paths })
  }
  return { changes, end: output[at] === 0 ? at + 1 : at }
}

function octal(mode: string): string {
  return Number.parseInt(mode, 8).toString(8)
}

/** A file that became a link, or the other way round, is patched as one removed and one added. */
function splitTypeChange(change: Change): Change[] {
  if (change.status !== 'T') return [change]
  return [
    { ...change, newMode: '0' },
    { ...change, oldMode: '0' },
  ]
}

const header = Buffer.from('\ndiff --git ')

/** Lines of contents begin with a space, a sign or a backslash, so a header is never one of them. */
function splitPatches(patches: Buffer): Buffer[] {
  const sections: Buffer[] = []
  for (let start = 0; start < patches.length; ) {
    const newline = patches.indexOf(header, start)
    const end = newline < 0 ? patches.length : newline + 1
    sections.push(patches.subarray(start, end))
    start = end
  }
  return sections
}

function patchText(section: Buffer): string {
  const hunk = section.indexOf('\n@@ ')
  const binary = hunk < 0 ? section.indexOf('\nBinary files ') : -1
  const start = Math.max(hunk, binary)
  if (start < 0 || section.length - start - 1 > limits.patch_bytes) return ''
  return section.toString('utf8', start + 1)
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
