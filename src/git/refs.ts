// Reads references from git's files: a loose file for each, and packed-refs. That takes microseconds and is always
// current, also after another process has written. `update-refs.ts` moves them.
import { closeSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { systemClock } from '../kernel/clock.ts'
import { limits } from '../kernel/limits.ts'
import { createLruCache } from '../kernel/lru.ts'
import { KeyedMutex } from '../kernel/semaphore.ts'
import { isHiddenRef } from './hidden-refs.ts'
import { asOid, branchRef, type Oid, type RefName, tagRef } from './names.ts'
import type { ObjectReader } from './objects.ts'
import {
  fileStampOf,
  findPackedRef,
  hasPackedRefBelow,
  packedRefsSignature,
  packedRefsUpperBound,
  readPackedRefs,
} from './packed-refs.ts'
import { type RefList, RefListBuilder } from './ref-list.ts'
import type { Repository } from './repository.ts'

/** `folders` are those it was read from, each with its stamp. */
type KeptList = { list: RefList; signature: string; folders: Map<string, string> }

const kept_bytes_max = 64 * 1024 * 1024
const keptLists = new LRUCache<string, KeptList>({
  maxSize: kept_bytes_max,
  sizeCalculation: ({ list, folders }) => list.bytes + 200 * (folders.size + 1),
})
const listings = new KeyedMutex()
/** How many files or folders are read before other work gets a turn. */
const turn_files = 200
const symbolic_depth_max = 5

/** Returns the object that a reference points at; undefined if the reference is missing. */
export function readRef(repository: Repository, name: RefName): Oid | undefined {
  return readAnyRef(repository, name, symbolic_depth_max)
}

function readAnyRef(repository: Repository, name: string, depth: number): Oid | undefined {
  // Both are free of detours, and `join` would look for some at every reference of a list.
  const text = readSmallFile(`${repository.path}/${name}`)
  if (text === undefined) return findPackedRef(repository, name)
  const target = targetOf(text)
  if (target) return depth > 0 ? readAnyRef(repository, target, depth - 1) : undefined
  return asOid(text.trim())
}

/** Returns the reference that a symbolic reference points to; undefined for any other. */
export function readSymbolicRef(repository: Repository, name: RefName): string | undefined {
  return targetOf(readSmallFile(`${repository.path}/${name}`) ?? '')
}

function targetOf(text: string): string | undefined {
  return /^ref: (refs\/.+)$/.exec(text.trim())?.[1]
}

/** Whether the repository exists on disk. */
export function repositoryExists(repository: Repository): boolean {
  return statSync(join(repository.path, 'HEAD'), { throwIfNoEntry: false }) !== undefined
}

/** Returns the branch that HEAD points to, whether or not it exists. */
export function readHeadBranch(repository: Repository): RefName | undefined {
  const text = readSmallFile(join(repository.path, 'HEAD'))
  return /^ref: (refs\/heads\/.+)$/.exec(text?.trim() ?? '')?.[1] as RefName | undefined
}

/**
 * Returns all references below `prefix` (`refs/heads/`) in byte order of names. Other work gets turns while they are
 * read, and while cached ones are compared with the disk.
 */
export async function listRefs(repository: Repository, prefix: string): Promise<RefList> {
  const key = `${repository.path}:${prefix}`
  const find = async () => {
    const kept = keptLists.get(key)
    return kept && (await isCurrent(repository, kept)) ? kept.list : undefined
  }
  // A caller that waits for another's listing checks whether it is current, since it was started before.
  return (
    (await find()) ?? listings.run(key, async () => (await find()) ?? readList(repository, prefix))
  )
}

async function readList(repository: Repository, prefix: string): Promise<RefList> {
  // Loose references first: one that is packed meanwhile is then found twice rather than not at all.
  const { refs, folders, isSettled } = await readLoose(repository, prefix.replace(/\/$/, ''))
  const loose = [...refs]
    .map(([name, oid]) => Buffer.from(`${oid} ${name}`))
    .sort((a, b) => a.compare(b, nameStart, b.length, nameStart, a.length))
  const list = new RefListBuilder()
  let next = 0
  const signature = await readPackedRefs(repository, prefix, (line) => {
    for (let mine = loose[next]; mine; mine = loose[next]) {
      const order = line.source.compare(mine, nameStart, mine.length, line.nameStart, line.end)
      if (order < 0) break
      list.add(mine, 0, mine.length)
      next++
      // A loose reference has precedence over a packed one with the same name.
      if (order === 0) return
    }
    list.add(line.source, line.start, line.end)
  })
  for (const mine of loose.slice(next)) list.add(mine, 0, mine.length)
  const built = list.build()
  if (isSettled && !isRecent(signature)) {
    keptLists.set(`${repository.path}:${prefix}`, { list: built, signature, folders })
  }
  return built
}

/** The offset of the name in a line: after 40 digits and a space. */
const nameStart = 41

async function isCurrent(
  repository: Repository,
  { signature, folders }: KeptList,
): Promise<boolean> {
  if (packedRefsSignature(repository) !== signature) return false
  let looked = 0
  for (const [folder, stamp] of folders) {
    if (stampOfFolder(repository, folder) !== stamp) return false
    if (++looked % turn_files === 0) await setImmediate()
  }
  return true
}

/** The stamp of a missing folder. */
const noStamp = '0'

function stampOfFolder(repository: Repository, folder: string): string {
  const stats = statSync(join(repository.path, folder), { bigint: true, throwIfNoEntry: false })
  return stats ? fileStampOf(stats) : noStamp
}

type Loose = { refs: Map<string, Oid>; folders: Map<string, string>; isSettled: boolean }

/** `isSettled` unless a folder changed within the clock's grain: it might again without showing it. */
async function readLoose(repository: Repository, top: string): Promise<Loose> {
  const loose: Loose = { refs: new Map(), folders: new Map(), isSettled: true }
  let looked = 0
  const walk = async (folder: string): Promise<void> => {
    const stamp = stampOfFolder(repository, folder)
    loose.folders.set(folder, stamp)
    if (isRecent(stamp)) loose.isSettled = false
    const entries = await readdir(join(repository.path, folder), { withFileTypes: true }).catch(
      noneOf,
    )
    for (const entry of entries) {
      const name = `${folder}/${entry.name}`
      if (entry.isDirectory()) await walk(name)
      else if (!entry.name.endsWith('.lock')) {
        const oid = readAnyRef(repository, name, symbolic_depth_max)
        if (oid) loose.refs.set(name, oid)
      }
      if (++looked % turn_files === 0) await setImmediate()
    }
  }
  await walk(top)
  return loose
}

/** Returns an empty list for the error of a missing folder. */
function noneOf(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
  throw error
}

/**
 * Whether the repository has a branch. The branch that HEAD points to is looked up first, which is nearly always enough. A
 * caller that has already looked up a branch without finding it passes it as `missing`.
 */
export function hasBranches(repository: Repository, missing?: RefName): boolean {
  const head = missing === undefined ? readHeadBranch(repository) : undefined
  if (head !== undefined && readRef(repository, head) !== undefined) return true
  return hasPackedRefBelow(repository, 'refs/heads/') || hasLooseBelow(repository, 'refs/heads')
}

export const tooManyRefsText = `A repository has at most ${limits.refs_max} references.`

/** Whether that many more references stay within the limit of a repository. */
export async function hasRoomForRefs(repository: Repository, created: number): Promise<boolean> {
  // The size of the file is sufficient unless the repository is close to the limit.
  if (created === 0 || packedRefsUpperBound(repository) + created <= limits.refs_max) return true
  return (await listRefs(repository, 'refs/')).length + created <= limits.refs_max
}

/** Folders that held nothing, each with its stamp: a list of new projects looks into one of each. */
const emptyFolders = createLruCache<string>(50_000)

function hasLooseBelow(repository: Repository, folder: string): boolean {
  const path = join(repository.path, folder)
  const stamp = stampOfFolder(repository, folder)
  if (stamp === noStamp || emptyFolders.get(path) === stamp) return false
  const entries = readdirSync(path, { withFileTypes: true })
  if (entries.length === 0 && !isRecent(stamp)) emptyFolders.set(path, stamp)
  return entries.some((entry) => {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) return hasLooseBelow(repository, name)
    return !entry.name.endsWith('.lock') && readRef(repository, name as RefName) !== undefined
  })
}

const grain_ms = 50
const grain_ns = BigInt(grain_ms) * 1_000_000n

/** Whether the file of that stamp changed just now. */
function isRecent(stamp: string): boolean {
  const changed_ns = BigInt(stamp.split(':')[0] || '0')
  return BigInt(systemClock().getTime()) * 1_000_000n - changed_ns < grain_ns
}

const smallFile = Buffer.alloc(4096)

/** The text of a small file, with its inode and change time. git replaces such files as a whole, under a new inode. */
type Kept = { ino: number; changed_ms: number; text: string }
const textCache = createLruCache<Kept>(50_000)

/** Returns the text of a file of at most 4 KiB; undefined if it is missing. An unchanged file costs one system call. */
function readSmallFile(path: string): string | undefined {
  const stats = statOf(path)
  if (!stats?.isFile()) return undefined
  const { ino, ctimeMs: changed_ms } = stats
  const kept = textCache.get(path)
  if (kept?.ino === ino && kept.changed_ms === changed_ms) return kept.text
  const text = readAnew(path)
  // One that was just written might be again, twice within the clock's grain and under the same inode.
  const isSettled = systemClock().getTime() - changed_ms >= grain_ms
  if (text !== undefined && isSettled) textCache.set(path, { ino, changed_ms, text })
  return text
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return undefined
    throw error
  }
}

function readAnew(path: string): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return smallFile.toString('utf8', 0, readSync(descriptor, smallFile, 0, smallFile.length, 0))
  } finally {
    closeSync(descriptor)
  }
}

/** Texts that may be revisions: no characters that reference names forbid, except those of git's revision syntax. */
const revisionText = /^[^\s\0:?*[\\-][^\s\0:?*[\\]*$/

/**
 * Returns the commit of a client's `ref`: a full or short object name, a tag, a branch, `HEAD`, or one of these with `~n` or
 * `^n`, looked up in the order of gitrevisions(7). Returns undefined if there is none.
 */
export async function resolveCommit(
  objects: ObjectReader,
  repository: Repository,
  revision: string,
): Promise<Oid | undefined> {
  const oid = asOid(revision) ?? readNamed(repository, revision)
  if (oid) return peelToCommit(objects, repository, oid)
  // A search by message could walk the whole history.
  if (!revisionText.test(revision) || revision.includes('^{') || revision.includes('@{')) {
    return undefined
  }
  if (!/[~^]/.test(revision) && !/^[0-9a-f]{4,39}$/i.test(revision)) return undefined
  // git would resolve `pipelines/1~0` as an ancestor of `refs/pipelines/1`.
  const name = revision.split(/[~^]/, 1)[0] ?? ''
  const full = name.startsWith('refs/') ? name : `refs/${name}`
  if (isHiddenRef(full) && readRef(repository, full as RefName)) return undefined
  return objects.resolve(repository, revision)
}

function readNamed(repository: Repository, revision: string): Oid | undefined {
  if (revision === 'HEAD') {
    const head = readHeadBranch(repository)
    return head && readRef(repository, head)
  }
  const tag = tagRef(revision)
  const branch = branchRef(revision)
  const full = revision.startsWith('refs/')
    ? tagRef(revision.slice(5)) && !isHiddenRef(revision)
      ? revision
      : undefined
    : undefined
  return (
    (full && readRef(repository, full as RefName)) ||
    (tag && readRef(repository, tag)) ||
    (branch && readRef(repository, branch)) ||
    undefined
  )
}

/** Follows annotated tags to a commit; undefined if they end at another object. */
export async function peelToCommit(
  objects: ObjectReader,
  repository: Repository,
  oid: Oid,
): Promise<Oid | undefined> {
  if (await objects.commit(repository, oid)) return oid
  const tag = await objects.tag(repository, oid)
  return tag ? peelToCommit(objects, repository, tag.target) : undefined
}
