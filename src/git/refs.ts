// References, read from the files git keeps them in: a loose file each, and packed-refs. Reading them
// takes microseconds and is always true, also when another process has written.
import {
  type BigIntStats,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { systemClock } from '../kernel/clock.ts'
import { lruCache } from '../kernel/lru.ts'
import { type Git, openGit, runGit } from './command.ts'
import { GitError } from './errors.ts'
import { asOid, branchRef, type Oid, type RefName, tagRef } from './names.ts'
import type { ObjectReader } from './objects.ts'
import type { Repository } from './repository.ts'
import { pastStaleLocks } from './stale-locks.ts'

/** A reference as listed: `oid` may be an annotated tag's own name. */
export type Ref = { name: RefName; oid: Oid }

type Packed = { signature: string; refs: Map<string, Oid> }
type Listing = { signature: string; refs: Ref[] }

const packedCache = new LRUCache<string, Packed>({
  maxSize: 400_000,
  sizeCalculation: ({ refs }) => refs.size + 1,
})
const listingCache = new LRUCache<string, Listing>({
  maxSize: 400_000,
  sizeCalculation: ({ refs }) => refs.length + 1,
})
const symbolic_depth_max = 5

/** What a reference points at, or undefined when there is none. */
export function readRef(repository: Repository, name: RefName): Oid | undefined {
  return readAnyRef(repository, name, symbolic_depth_max)
}

function readAnyRef(repository: Repository, name: string, depth: number): Oid | undefined {
  const text = readSmallFile(join(repository.path, name))
  if (text === undefined) return packedRefs(repository).refs.get(name)
  const target = /^ref: (refs\/.+)$/.exec(text.trim())?.[1]
  if (target) return depth > 0 ? readAnyRef(repository, target, depth - 1) : undefined
  return asOid(text.trim())
}

/** The branch HEAD names, whether or not it exists yet. */
export function readHead(repository: Repository): RefName | undefined {
  const text = readSmallFile(join(repository.path, 'HEAD'))
  return /^ref: (refs\/heads\/.+)$/.exec(text?.trim() ?? '')?.[1] as RefName | undefined
}

/** All references below `prefix` (`refs/heads/`), sorted by name in byte order. */
export function listRefs(repository: Repository, prefix: string): Ref[] {
  const key = `${repository.path}:${prefix}`
  const kept = listingCache.get(key)
  if (kept && signatureOf(repository, kept.signature) === kept.signature) {
    return kept.refs
  }
  const seen: string[] = []
  const packed = packedRefs(repository)
  const found = new Map<string, Oid>()
  for (const [name, oid] of packed.refs) if (name.startsWith(prefix)) found.set(name, oid)
  collectLoose(repository, prefix.replace(/\/$/, ''), found, seen)
  const refs = [...found].map(([name, oid]) => ({ name: name as RefName, oid }))
  refs.sort((a, b) => compareBytes(a.name, b.name))
  // A folder changed within the clock's grain might change again without showing it: not kept.
  if (seen.every((line) => !isRecent(line)) && !isRecent(`packed-refs\t${packed.signature}`)) {
    listingCache.set(key, { signature: [packed.signature, ...seen].join('\n'), refs })
  }
  return refs
}

/** Whether there is any branch; the one that HEAD names nearly always settles it without a listing. */
export function hasBranches(repository: Repository): boolean {
  const head = readHead(repository)
  if (head !== undefined && readRef(repository, head) !== undefined) return true
  return listRefs(repository, 'refs/heads/').length > 0
}

function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  // UTF-16 order differs from byte order only where surrogates are involved.
  return /[\ud800-\udfff]/.test(a + b)
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : a < b
      ? -1
      : 1
}

const grain_ms = 50
const grain_ns = BigInt(grain_ms) * 1_000_000n

function isRecent(line: string): boolean {
  const changed_ns = BigInt(line.slice(line.indexOf('\t') + 1).split(':')[0] || '0')
  return BigInt(systemClock().getTime()) * 1_000_000n - changed_ns < grain_ns
}

function stamp(stats: BigIntStats): string {
  return `${stats.mtimeNs}:${stats.ino}:${stats.size}`
}

/** The listing's signature as it would be now, for the folders that the kept one names. */
function signatureOf(repository: Repository, kept: string): string {
  const [, ...folders] = kept.split('\n')
  const lines = folders.map((line) => {
    const folder = line.slice(0, line.indexOf('\t'))
    const stats = statSync(join(repository.path, folder), { bigint: true, throwIfNoEntry: false })
    return `${folder}\t${stats ? stamp(stats) : '0'}`
  })
  return [packedRefs(repository).signature, ...lines].join('\n')
}

function collectLoose(
  repository: Repository,
  folder: string,
  found: Map<string, Oid>,
  seen: string[],
): void {
  const path = join(repository.path, folder)
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  seen.push(`${folder}\t${stats ? stamp(stats) : '0'}`)
  if (!stats?.isDirectory()) return
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) collectLoose(repository, name, found, seen)
    else if (!entry.name.endsWith('.lock')) {
      const oid = readAnyRef(repository, name, symbolic_depth_max)
      if (oid) found.set(name, oid)
    }
  }
}

function packedRefs(repository: Repository): Packed {
  const path = join(repository.path, 'packed-refs')
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stats) return { signature: '0', refs: new Map() }
  const signature = stamp(stats)
  const kept = packedCache.get(path)
  if (kept?.signature === signature) return kept
  const refs = new Map<string, Oid>()
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const oid = asOid(line.slice(0, 40))
    if (oid && line[40] === ' ') refs.set(line.slice(41), oid)
  }
  const packed = { signature, refs }
  packedCache.set(path, packed)
  return packed
}

const smallFile = Buffer.alloc(4096)

/** What a small file said, and when; git replaces such files as a whole, under another inode. */
type Kept = { ino: number; changed_ms: number; text: string }
const textCache = lruCache<Kept>(50_000)

/** A file of at most 4 KiB; undefined when there is none. One system call when it has not changed. */
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

/** What git's revision syntax may need and a reference name does not forbid. */
const revisionText = /^[^\s\0:?*[\\-][^\s\0:?*[\\]*$/

/**
 * The commit that a client's `ref` leads to: a full or short object name, a tag, a branch, `HEAD`, or
 * one of these with `~n` or `^n`, in the order of gitrevisions(7). Undefined when it leads nowhere.
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
  return objects.resolve(repository, revision)
}

function readNamed(repository: Repository, revision: string): Oid | undefined {
  if (revision === 'HEAD') {
    const head = readHead(repository)
    return head && readRef(repository, head)
  }
  const tag = tagRef(revision)
  const branch = branchRef(revision)
  const full = revision.startsWith('refs/')
    ? tagRef(revision.slice(5))
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

/** Follows annotated tags; undefined when they end at something else than a commit. */
export async function peelToCommit(
  objects: ObjectReader,
  repository: Repository,
  oid: Oid,
): Promise<Oid | undefined> {
  if (await objects.commit(repository, oid)) return oid
  const tag = await objects.tag(repository, oid)
  return tag ? peelToCommit(objects, repository, tag.target) : undefined
}

/** A wished change: `oldOid` is what the reference must point at (the zero name: must not exist). */
export type RefUpdate = { name: RefName; oldOid: Oid; newOid: Oid }

/**
 * Asked while the references are locked and known to have their old values, so that nothing can change
 * between its answer and the move; throws what refuses the move, and then nothing moves. It must be
 * short, for nobody else can change these references meanwhile.
 */
export type Confirm = () => Promise<void>

/** For what the server does of its own accord, which nobody's rights bear on. */
export const byTheServer: Confirm = async () => {}

/**
 * Applies all updates or none (`git update-ref --stdin`), synced to disk, if `confirm` has nothing
 * against it. Fails with GitError `ref-moved`, `ref-conflict` (a name below or above another) or `locked`.
 */
export async function updateRefs(
  git: Git,
  repository: Repository,
  { updates, confirm }: { updates: readonly RefUpdate[]; confirm: Confirm },
): Promise<void> {
  if (updates.length === 0) return
  let commands = 'start\0'
  for (const { name, oldOid, newOid } of updates) {
    commands += /^0+$/.test(newOid)
      ? `delete ${name}\0${oldOid}\0`
      : `update ${name}\0${newOid}\0${oldOid}\0`
  }
  const names = updates.map(({ name }) => name)
  await pastStaleLocks(repository, names, async () => {
    const { io, exit } = await openGit(git, repository, { args: ['update-ref', '-z', '--stdin'] })
    try {
      io.write(`${commands}prepare\0`)
      // It ends without a word where it cannot lock them all, or where one has moved.
      const isPrepared = await says(io, 'prepare: ok\n')
      if (isPrepared) await confirm()
      io.end(isPrepared ? 'commit\0' : '')
      await exit
      if (!isPrepared) throw new GitError('failed', 'git update-ref ended too early.')
    } catch (error) {
      // At the end of its input git gives the locks back; only then is the refusal told.
      io.end()
      await exit.catch(() => {})
      throw error
    } finally {
      io.destroy()
    }
  })
}

/** Reads what a program prints until `words` end it; false where the program ends before. */
async function says(io: Socket, words: string): Promise<boolean> {
  let said = ''
  try {
    for await (const chunk of io.iterator({ destroyOnReturn: false })) {
      said += chunk
      if (said.endsWith(words)) return true
    }
  } catch {
    // A program that ends without having read everything resets its stream; its status tells the rest.
  }
  return false
}

/** Makes HEAD name `branch`, which need not exist. */
export async function pointHead(git: Git, repository: Repository, branch: RefName): Promise<void> {
  if (readHead(repository) === branch) return
  await pastStaleLocks(repository, [], () =>
    runGit(git, repository, { args: ['symbolic-ref', 'HEAD', branch] }),
  )
}
