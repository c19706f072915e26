// The changes of a commit page by page: the list of all files with their counts once, then the patches of the files of a
// page. So a diff of any length can be read, with short responses.
import { limits } from '../kernel/limits.ts'
import { type Git, spawnGit } from './command.ts'
import { formatOctalMode } from './diff.ts'
import { extractPatchText, GitOutputReader } from './git-output-reader.ts'
import { GitResultCache, isLimitExceeded } from './git-result-cache.ts'
import { emptyTreeOid, type Oid } from './names.ts'
import { readGitRecords } from './records.ts'
import type { Repository } from './repository.ts'

/** Two commits or trees. Without `from` everything counts as added. */
export type DiffSpan = {
  from?: Oid
  to: Oid
  ignoresSpace: boolean
  /** The files that are compared; all of them where this is left out. */
  paths?: readonly string[]
}

export type ChangedFile = {
  /** Both sides have the same path unless the file was renamed. */
  oldPath: string
  newPath: string
  /** Octal; `0` on the side where there is no file. */
  oldMode: string
  newMode: string
  /** The objects on both sides, as git names them in a patch. */
  oids: string
  isRenamed: boolean
  /** Undefined where git counts none: of a binary file, and of all files of a diff that is too much to count. */
  added: number | undefined
  removed: number | undefined
  /** Whether git has a patch for it. */
  hasPatch: boolean
}

export type ChangedFiles = { files: ChangedFile[]; isCut: boolean }

/**
 * A changed file with its patch. `leftOut` says why the patch is missing: it is too long, or the files before it filled
 * the page.
 */
export type PagedDiffFile = ChangedFile & { patch: string; leftOut?: 'too-long' | 'no-room' }

export type DiffPageRange = { offset: number; per_page: number; isExpanded: boolean }

/** The patches of the files of a page, in the same order. */
type Patches = readonly Pick<PagedDiffFile, 'patch' | 'leftOut'>[]

const list_bytes_max = 32 * 1024 * 1024
const pages_bytes_max = 48 * 1024 * 1024

/** Reads and keeps lists of changed files, and pages of their patches. */
export class PagedDiffReader {
  readonly #git: Git
  readonly #lists = new GitResultCache<ChangedFiles>(list_bytes_max, ({ files }) =>
    files.reduce((sum, { oldPath, newPath }) => sum + oldPath.length + newPath.length + 400, 100),
  )
  readonly #pages = new GitResultCache<Patches>(pages_bytes_max, (patches) =>
    patches.reduce((sum, { patch }) => sum + 2 * patch.length + 100, 100),
  )

  constructor(git: Git) {
    this.#git = git
  }

  /**
   * All changed files in the order of their paths. If figures and renames are too much for git, they are told without
   * them; if the files are, none are told. One process, none once kept.
   */
  list(repository: Repository, span: DiffSpan): Promise<ChangedFiles> {
    return this.#lists.get(keyOf(repository, span), async () => {
      for (const isCounted of [true, false]) {
        try {
          return await this.#readList(repository, span, isCounted)
        } catch (error) {
          if (!isLimitExceeded(error)) throw error
        }
      }
      return { files: [], isCut: true }
    })
  }

  /**
   * The files of one page with their patches, of at most `limits.patch_bytes` each, or with `isExpanded` of
   * `limits.paged_diff.expanded_patch_bytes`. Two processes at most, none once kept.
   */
  async page(
    repository: Repository,
    span: DiffSpan,
    { offset, per_page, isExpanded }: DiffPageRange,
  ): Promise<{ files: PagedDiffFile[]; total: number }> {
    const { files: all } = await this.list(repository, span)
    const files = all.slice(offset, offset + per_page)
    const key = `${keyOf(repository, span)}\0${offset}\0${files.length}\0${isExpanded}`
    const patches = await this.#pages
      .get(key, () => this.#readPatches(repository, span, files, isExpanded))
      .catch((error): Patches => {
        if (!isLimitExceeded(error)) throw error
        return files.map(({ hasPatch }) => patchOf(hasPatch, undefined, 'too-long'))
      })
    const paged = files.map((file, at) => ({ ...file, patch: '', ...patches[at] }))
    return { files: paged, total: all.length }
  }

  async #readList(
    repository: Repository,
    span: DiffSpan,
    isCounted: boolean,
  ): Promise<ChangedFiles> {
    const reader = new ListReader()
    const what = isCounted ? ['-M', '--raw', '--numstat'] : ['--no-renames', '--raw']
    const args = [...argumentsOf(span, what), ...(span.paths ? ['--', ...span.paths] : [])]
    const timeout_ms = limits.diff_timeout_ms
    for await (const records of readGitRecords(this.#git, repository, {
      args,
      mark: 0,
      timeout_ms,
    })) {
      for (const record of records) reader.add(record)
    }
    return reader.read(isCounted)
  }

  /**
   * Files that kept their names are asked for without a search for renames, which among fewer files might find others.
   */
  async #readPatches(
    repository: Repository,
    span: DiffSpan,
    files: readonly ChangedFile[],
    isExpanded: boolean,
  ): Promise<Patches> {
    const reader = new PatchReader(isExpanded)
    for (const isRenamed of [false, true]) {
      const wanted = files.filter((file) => isWanted(file) && file.isRenamed === isRenamed)
      if (wanted.length === 0 || reader.isFull) continue
      const what = [isRenamed ? '-M' : '--no-renames', '--patch', '--full-index']
      const paths = new Set(wanted.flatMap(({ oldPath, newPath }) => [oldPath, newPath]))
      const args = argumentsOf(span, [...what, '--no-ext-diff', '--no-textconv'])
      await this.#print(repository, [...args, '--', ...paths], reader)
    }
    return files.map((file) => reader.take(file))
  }

  async #print(repository: Repository, args: string[], reader: PatchReader): Promise<void> {
    const timeout_ms = limits.diff_timeout_ms
    const { io, exit, kill } = await spawnGit(this.#git, repository, { args, timeout_ms })
    io.end()
    try {
      // The socket also ends normally when git died, so the exit status is checked.
      if (await reader.read(io)) await exit
      else kill()
    } catch (error) {
      kill()
      throw error
    } finally {
      io.destroy()
    }
  }
}

function keyOf({ path }: Repository, { from, to, ignoresSpace, paths = [] }: DiffSpan): string {
  return [path, from ?? '', to, ignoresSpace, ...paths].join('\0')
}

function argumentsOf(
  { from = emptyTreeOid, to, ignoresSpace }: DiffSpan,
  what: string[],
): string[] {
  return ['diff-tree', '-r', '-z', ...(ignoresSpace ? ['-w'] : []), ...what, from, to]
}

function patchOf(
  hasPatch: boolean,
  patch: string | undefined,
  why: 'too-long' | 'no-room',
): Patches[number] {
  return hasPatch && patch === undefined ? { patch: '', leftOut: why } : { patch: patch ?? '' }
}

function isWanted({ hasPatch, oldPath, newPath }: ChangedFile): boolean {
  const bytes = Math.max(Buffer.byteLength(oldPath), Buffer.byteLength(newPath))
  return hasPatch && bytes <= limits.paged_diff.named_path_bytes_max
}

type Raw = { head: string; paths: string[] }
type Figures = { added: number | undefined; removed: number | undefined }

/**
 * git-diff-tree(1) with `--raw --numstat -z`: `:mode mode oid oid status NUL path NUL` of every file, then
 * `added TAB removed TAB path NUL`. Renames have two paths, in the figures behind an empty one. With `-w` a file that
 * differs in nothing else has no figures.
 */
class ListReader {
  readonly #raw: Raw[] = []
  readonly #figures = new Map<string, Figures>()
  #path_bytes = 0
  #isCut = false
  /** What the next records belong to. */
  #open: { paths: string[]; missing: number; end: (paths: string[]) => void } | undefined

  add(record: string): void {
    const open = this.#open
    if (open) {
      open.paths.push(record)
      if (open.paths.length < open.missing) return
      this.#open = undefined
      open.end(open.paths)
    } else if (record.startsWith(':')) {
      const missing = /[RC]\d*$/.test(record) ? 2 : 1
      this.#open = { paths: [], missing, end: (paths) => this.#addRaw({ head: record, paths }) }
    } else this.#addFigures(record)
  }

  #addRaw(raw: Raw): void {
    const { files_max, path_bytes_max } = limits.paged_diff
    this.#isCut ||= this.#raw.length === files_max || this.#path_bytes > path_bytes_max
    if (this.#isCut) return
    this.#path_bytes += raw.paths.reduce((sum, path) => sum + path.length, 0)
    this.#raw.push(raw)
  }

  #addFigures(record: string): void {
    const [, added, removed, path = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(record) ?? []
    if (added === undefined || this.#figures.size > limits.paged_diff.files_max) return
    const figures = { added: count(added), removed: count(removed) }
    const end = (paths: string[]) => {
      this.#figures.set(paths.join('\0'), figures)
    }
    if (path === '') this.#open = { paths: [], missing: 2, end }
    else end([path])
  }

  read(isCounted: boolean): ChangedFiles {
    const files = this.#raw.flatMap(({ head, paths }) => {
      const uncounted = isCounted ? { added: 0, removed: 0 } : undefined
      return filesOf({ head, paths }, this.#figures.get(paths.join('\0')) ?? uncounted)
    })
    return { files, isCut: this.#isCut }
  }
}

function count(text: string | undefined): number | undefined {
  return text === undefined || text === '-' ? undefined : Number(text)
}

/** Returns the changed files of a line. A change between file and link becomes a removal and an addition. */
function filesOf({ head, paths }: Raw, figures: Figures | undefined): ChangedFile[] {
  const [oldMode = '', newMode = '', oldOid = '', newOid = '', status = ''] = head
    .slice(1)
    .split(' ')
  const [oldPath = '', newPath = oldPath] = paths
  const { added, removed } = figures ?? {}
  const file = (from: [string, string], to: [string, string], lines: Figures): ChangedFile => ({
    oldPath,
    newPath,
    oldMode: formatOctalMode(from[0]),
    newMode: formatOctalMode(to[0]),
    oids: `${from[1]}..${to[1]}`,
    isRenamed: oldPath !== newPath,
    ...lines,
    hasPatch:
      from[1] !== to[1] && (figures === undefined || lines.added !== 0 || lines.removed !== 0),
  })
  if (status !== 'T') return [file([oldMode, oldOid], [newMode, newOid], { added, removed })]
  const none: [string, string] = ['0', '0'.repeat(oldOid.length)]
  return [
    file([oldMode, oldOid], none, { added: 0, removed }),
    file(none, [newMode, newOid], { added, removed: 0 }),
  ]
}

/** Patches by the objects they are about, which `--full-index` has git print; several where contents are the same. */
class PatchReader {
  readonly #patch_bytes_max: number
  readonly #found = new Map<string, string[]>()
  #bytes = 0

  constructor(isExpanded: boolean) {
    const { patch_bytes, paged_diff } = limits
    this.#patch_bytes_max = isExpanded ? paged_diff.expanded_patch_bytes : patch_bytes
  }

  get isFull(): boolean {
    return this.#bytes > limits.paged_diff.page_bytes_max
  }

  /** Whether it read to the end. */
  async read(output: AsyncIterable<Buffer>): Promise<boolean> {
    const printed = new GitOutputReader(output)
    while (!this.isFull) {
      const section = await printed.takeSection(this.#patch_bytes_max)
      if (section) this.#add(section)
      else if (printed.hasEnded) return true
    }
    return printed.hasEnded
  }

  #add(section: Buffer): void {
    const [, oids] =
      /\nindex ([0-9a-f]+\.\.[0-9a-f]+)/.exec(section.toString('latin1', 0, 20_000)) ?? []
    const patch = extractPatchText(section, this.#patch_bytes_max)
    if (oids === undefined || patch === '') return
    this.#bytes += patch.length
    const same = this.#found.get(oids)
    if (same) same.push(patch)
    else this.#found.set(oids, [patch])
  }

  take({ oids, hasPatch }: ChangedFile): Patches[number] {
    const patch = hasPatch ? this.#found.get(oids)?.shift() : undefined
    return patchOf(hasPatch, patch, this.isFull ? 'no-room' : 'too-long')
  }
}
