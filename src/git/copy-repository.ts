// Creates a repository as a copy of another one. Object files are hard links if both are on the same disk: git never
// changes them, so each repository has its own name for the same bytes and either may be deleted. No alternates, which
// would make one depend on the other.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { unlessGone } from '../kernel/unless-gone.ts'
import { type Git, runGit, withRepositoryInUse } from './command.ts'
import { syncFolder } from './fsync.ts'
import type { RefName } from './names.ts'
import type { Ref, RefList } from './ref-list.ts'
import { listRefs, readHeadBranch } from './refs.ts'
import type { Repository } from './repository.ts'

/** How often a copy starts again because the source was repacked during it. */
const attempts_max = 5

/** The references that a fork starts with. */
export const branchAndTagPrefixes = ['refs/heads/', 'refs/tags/'] as const
export const allRefPrefixes = ['refs/'] as const

/** Called with each number of bytes of objects that were copied or compared; with a negative one if that starts over. */
export type OnCopiedBytes = (bytes: number) => Promise<void>

/**
 * Creates `copy` with the given references of `source`, and replaces an unfinished copy. Everything is on disk before the
 * repository gets its name, so a crash leaves a complete copy or none. `check` inspects the copy before that: if it throws,
 * no copy remains; if it returns false, the copy is made again.
 */
export async function copyRepository(
  git: Git,
  source: Repository,
  copy: Repository,
  how: {
    references: typeof branchAndTagPrefixes | typeof allRefPrefixes
    check?: (unfinished: Repository, onBytes?: OnCopiedBytes) => Promise<boolean>
    onBytes?: OnCopiedBytes | undefined
  },
): Promise<void> {
  const { references, check, onBytes } = how
  await makeInAttempts(copy, onBytes, async (unfinished, tell) => {
    const attemptOnce = async () =>
      (await attemptCopy(git, { source, copy: unfinished, references, onBytes: tell })) &&
      (!check || (await check(unfinished, tell)))
    return withRepositoryInUse(source, attemptOnce)
  })
}

/**
 * Creates a repository under a temporary name, and renames it when it is complete and on disk. If `attempt` returns false,
 * it runs again, a few times at most.
 */
export async function makeInAttempts(
  repository: Repository,
  onBytes: OnCopiedBytes | undefined,
  attempt: (unfinished: Repository, onBytes: OnCopiedBytes | undefined) => Promise<boolean>,
): Promise<void> {
  const unfinished = { path: `${repository.path}.new` }
  await mkdir(dirname(repository.path), { recursive: true })
  for (let count = 1; ; count++) {
    await rm(unfinished.path, { recursive: true, force: true })
    let told_bytes = 0
    const tell: OnCopiedBytes | undefined =
      onBytes &&
      ((bytes) => {
        told_bytes += bytes
        return onBytes(bytes)
      })
    if (await attempt(unfinished, tell)) break
    await onBytes?.(-told_bytes)
    if (count === attempts_max)
      throw new Error(
        `The source of ${repository.path} changed during each of ${attempts_max} attempts to copy it.`,
      )
  }
  await rename(unfinished.path, repository.path)
  await syncFolder(dirname(repository.path))
}

/**
 * Copies references first, then the files with objects: everything that the references lead to is in files that exist
 * afterwards. Returns false if a file disappeared, which happens when a repack moves its objects to another file.
 */
async function attemptCopy(
  git: Git,
  {
    source,
    copy,
    references,
    onBytes,
  }: {
    source: Repository
    copy: Repository
    references: readonly string[]
    onBytes: OnCopiedBytes | undefined
  },
): Promise<boolean> {
  const lists = await Promise.all(references.map((prefix) => listRefs(source, prefix)))
  await initRepository(git, copy, readHeadBranch(source))
  const isWhole = await linkObjects(
    join(source.path, 'objects'),
    join(copy.path, 'objects'),
    onBytes,
  )
  if (!isWhole || !(await hasObjects(git, copy, lists))) return false
  await writePackedRefs(copy, packedRefLines(lists))
  await syncFolder(copy.path)
  return true
}

/** Creates an empty repository whose HEAD points to a branch. */
export async function initRepository(
  git: Git,
  { path }: Repository,
  head: RefName | undefined,
): Promise<void> {
  const branch = head?.slice('refs/heads/'.length) ?? 'main'
  await runGit(git, undefined, {
    args: ['init', '--bare', '--quiet', '--template=', `--initial-branch=${branch}`, path],
  })
}

/** Loose objects and packs with what belongs to each; what spans several is built anew by maintenance. */
const objectFolder = /^(pack|[0-9a-f]{2})$/
const objectFile = /^([0-9a-f]{38}|pack-[0-9a-f]{40}\.(pack|idx|rev|bitmap))$/

/** The folders of objects and the names of the files in each; undefined for a folder that is not there any more. */
async function* listObjectFolders(
  objects: string,
): AsyncGenerator<{ folder: string; names: string[] | undefined }> {
  for (const folder of await readdir(objects)) {
    if (!objectFolder.test(folder)) continue
    const names = await unlessGone(readdir(join(objects, folder)))
    yield { folder, names: names?.filter((name) => objectFile.test(name)) }
  }
}

/** A file that holds objects: its path relative to the repository, and its size in bytes. */
export type ObjectFile = { path: string; size: number }

/** Whether `path` is the path of an object file, as in `listObjectFiles`. */
export function isObjectFilePath(path: string): boolean {
  const [first, folder = '', name = '', ...rest] = path.split('/')
  const isBelow = first === 'objects' && rest.length === 0
  return isBelow && objectFolder.test(folder) && objectFile.test(name)
}

/** Lists the files that contain the objects of a repository. */
export async function listObjectFiles(repository: Repository): Promise<ObjectFile[]> {
  const files: ObjectFile[] = []
  for await (const { folder, names = [] } of listObjectFolders(join(repository.path, 'objects'))) {
    for (const name of names) {
      const path = `objects/${folder}/${name}`
      const stats = await unlessGone(stat(join(repository.path, path)))
      if (stats) files.push({ path, size: stats.size })
    }
  }
  return files
}

/** Returns the size in bytes of all objects of a repository, the total that `copyRepository` reports progress towards. */
export async function measureObjects(repository: Repository): Promise<number> {
  const files = await listObjectFiles(repository)
  return files.reduce((sum, { size }) => sum + size, 0)
}

async function linkObjects(from: string, to: string, onBytes?: OnCopiedBytes): Promise<boolean> {
  for await (const { folder, names } of listObjectFolders(from)) {
    // A repack that had started before removes folders that it has emptied.
    if (!names) return false
    await mkdir(join(to, folder), { recursive: true })
    for (const name of names) {
      if (!(await linkFile(join(from, folder, name), join(to, folder, name), onBytes))) return false
    }
    await syncFolder(join(to, folder))
  }
  await syncFolder(to)
  return true
}

/** False when there is no such file any more. */
async function linkFile(from: string, to: string, onBytes?: OnCopiedBytes): Promise<boolean> {
  try {
    const isLinked = await link(from, to)
      .then(() => true)
      .catch(async (error: NodeJS.ErrnoException) => {
        // Another disk, a file system without hard links, or a file with the maximum number of links.
        if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes(error.code ?? '')) throw error
        await copyFileWhole(from, to, onBytes)
        await syncFile(to)
        return false
      })
    if (isLinked && onBytes) await onBytes((await stat(to)).size)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** How often the size of a file that is being copied is read. */
const look_ms = 500

async function copyFileWhole(from: string, to: string, onBytes?: OnCopiedBytes): Promise<void> {
  const copying = copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true)
  if (!onBytes) {
    await copying
    return
  }
  let told_bytes = 0
  const tell = async () => {
    const { size } = await stat(to)
    await onBytes(size - told_bytes)
    told_bytes = size
  }
  while (!(await Promise.race([copying, setTimeout(look_ms, false, { ref: false })]))) await tell()
  await tell()
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export async function hasObjects(
  git: Git,
  copy: Repository,
  lists: readonly RefList[],
): Promise<boolean> {
  const answer = await runGit(git, copy, {
    args: ['cat-file', '--batch-check=%(objecttype)'],
    stdin: Readable.from(linesOf(lists, ({ oid }) => `${oid}\n`)),
  })
  return !answer.includes(' missing')
}

/**
 * Writes packed-refs (gitrepository-layout(5)): one line for each reference, sorted by name. The header names no traits
 * besides `sorted`, so git peels tags itself.
 */
export async function writePackedRefs(
  copy: Repository,
  lines: AsyncIterable<string | Buffer>,
): Promise<void> {
  const handle = await open(join(copy.path, 'packed-refs'), 'wx')
  try {
    await handle.writeFile('# pack-refs with: sorted \n')
    await handle.writeFile(lines)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Yields references as lines of packed-refs, some at a time. */
export function packedRefLines(lists: readonly RefList[]): AsyncGenerator<string> {
  return linesOf(lists, ({ name, oid }) => `${oid} ${name}\n`)
}

async function* linesOf(
  lists: readonly RefList[],
  lineOf: (ref: Ref) => string,
): AsyncGenerator<string> {
  for (const refs of lists) for await (const run of refs.runs()) yield run.map(lineOf).join('')
}

/**
 * Compares a complete copy with its source, whose references must not move meanwhile: HEAD, all references, and every object
 * file, byte for byte unless both share it. Throws if they differ. Returns false if the source was repacked meanwhile.
 */
export async function verifyRepositoryCopy(
  source: Repository,
  copy: Repository,
  onBytes?: OnCopiedBytes,
): Promise<boolean> {
  if (readHeadBranch(source) !== readHeadBranch(copy))
    throw new Error(`HEAD of ${copy.path} differs from ${source.path}.`)
  const [wanted, found] = await Promise.all(
    [source, copy].map(async (repository) => digestRefs(await listRefs(repository, 'refs/'))),
  )
  if (wanted !== found) throw new Error(`References of ${copy.path} differ from ${source.path}.`)
  const objects = join(copy.path, 'objects')
  for (const folder of await readdir(objects)) {
    if (!objectFolder.test(folder)) continue
    for (const name of await readdir(join(objects, folder))) {
      const path = join('objects', folder, name)
      const original = await unlessGone(open(join(source.path, path)))
      if (!original) return false
      const copied = await open(join(copy.path, path)).catch(async (error) => {
        await original.close()
        throw error
      })
      if (!(await areSame(original, copied, onBytes))) {
        throw new Error(`${path} of ${copy.path} differs from ${source.path}.`)
      }
    }
  }
  return true
}

/** Returns the SHA-256 of the lines of packed-refs, in hex. */
export async function digestRefs(refs: RefList): Promise<string> {
  const digest = createHash('sha256')
  for await (const run of refs.runs()) {
    for (const { name, oid } of run) digest.update(`${oid} ${name}\n`)
  }
  return digest.digest('hex')
}

const piece_bytes = 2 * 1024 * 1024
/** How many pieces of a file are compared at once. */
const lanes = 4

/** Closes both. */
async function areSame(
  mine: FileHandle,
  theirs: FileHandle,
  onBytes?: OnCopiedBytes,
): Promise<boolean> {
  try {
    const [a, b] = await Promise.all([mine.stat(), theirs.stat()])
    if (a.dev === b.dev && a.ino === b.ino) {
      await onBytes?.(a.size)
      return true
    }
    if (a.size !== b.size) return false
    const compareEvery = async (lane: number): Promise<boolean> => {
      const bytes = Math.min(piece_bytes, a.size)
      const [left, right] = [Buffer.allocUnsafe(bytes), Buffer.allocUnsafe(bytes)]
      for (let at = lane * piece_bytes; at < a.size; at += lanes * piece_bytes) {
        const [read] = await Promise.all([
          mine.read(left, 0, bytes, at),
          theirs.read(right, 0, bytes, at),
        ])
        if (left.compare(right, 0, read.bytesRead, 0, read.bytesRead) !== 0) return false
        await onBytes?.(read.bytesRead)
      }
      return true
    }
    const needed = Math.min(lanes, Math.ceil(a.size / piece_bytes))
    const results = await Promise.all(Array.from({ length: needed }, (_, at) => compareEvery(at)))
    return results.every(Boolean)
  } finally {
    await Promise.all([mine.close(), theirs.close()])
  }
}
