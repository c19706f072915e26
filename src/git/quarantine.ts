// Where pushed objects wait until they are accepted. Nobody else sees them: git looks into the folder only if the
// environment says so (gitdocs: receive-pack, "Quarantine Environment").
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'
import { type Git, gitConfigEnvironment, runGit, spawnGit } from './command.ts'
import { GitError } from './errors.ts'
import { syncFolder } from './fsync.ts'
import { enforceSendRate } from './least-rate.ts'
import { estimateIndex_bytes, estimateObjectList_bytes } from './memory-estimate.ts'
import { type Oid, parseGitOid } from './names.ts'
import { PacketError, type PacketReader } from './pkt-line.ts'
import type { Repository } from './repository.ts'

/** Objects of a push that are not visible before the push is accepted. */
export type Quarantine = { path: string; env: Record<string, string> }

/** The maximum duration of receiving and indexing the objects of a push, and of checking that they are complete. */
export const quarantine_store_ms_max = limits.git_transfer_ms
const check_ms_max = 2 * 60 * 60_000

export async function openQuarantine(repository: Repository): Promise<Quarantine> {
  const path = join(repository.path, 'objects', `incoming-${randomUUID()}`)
  await mkdir(join(path, 'pack'), { recursive: true })
  return {
    path,
    env: {
      GIT_OBJECT_DIRECTORY: path,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteAlternatePath(join(repository.path, 'objects')),
      GIT_QUARANTINE_PATH: path,
    },
  }
}

export function closeQuarantine({ path }: Quarantine): Promise<void> {
  return rm(path, { recursive: true, force: true })
}

/** Returns the size of its packs, in bytes. */
export async function quarantineSize({ path }: Quarantine): Promise<number> {
  const names = await readdir(join(path, 'pack'))
  const packs = names.filter((name) => name.endsWith('.pack'))
  const sizes = await Promise.all(
    packs.map(async (name) => (await stat(join(path, 'pack', name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Quotes a path as in C, since git(1) separates alternates by colons. */
export function quoteAlternatePath(path: string): string {
  return /[:"\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path
}

/** The number in the head of a pack is the client's word, and the client may take long: no more is reserved for it. */
const announced_objects_max = 1_500_000

/** The size of a pack without objects: its header and checksum (gitformat-pack). */
const empty_pack_bytes = 32

/** Faults of history that old tools made, and that servers take so that such history can be kept. */
const tolerated = 'badTimezone=ignore,missingSpaceBeforeDate=ignore,zeroPaddedFilemode=ignore'

/**
 * Stores the pack that follows in the quarantine and checks every object (transfer.fsckObjects). Returns the message of git
 * if it refuses the pack. Objects are always stored as a pack with its index, never loose: a single rename moves them into
 * the repository, so a crash leaves the whole push or nothing.
 */
export async function storePackInQuarantine({
  git,
  repository,
  quarantine,
  reader,
  bytes_max,
  signal,
  onWait,
}: {
  git: Git
  repository: Repository
  quarantine: Quarantine
  reader: PacketReader
  /** Of the pack. */
  bytes_max: number
  signal?: AbortSignal
  /** Called while there is no memory to index the pack. */
  onWait?: () => void
}): Promise<{ problem?: string; stderr: string; objects: number }> {
  const head = await reader.peek(12).catch(nothingOf)
  if (head.toString('latin1', 0, 4) !== 'PACK') {
    return { problem: 'unpacker error', stderr: 'error: no pack was sent', objects: 0 }
  }
  const objects = head.length === 12 ? head.readUInt32BE(8) : 0
  // There are no new objects, and git cannot index an empty pack.
  if (head.length === 12 && objects === 0) {
    await reader.peek(empty_pack_bytes).catch(nothingOf)
    return { stderr: '', objects }
  }
  try {
    await runGit(git, repository, {
      args: [
        'index-pack',
        '--stdin',
        '--fix-thin',
        `--strict=${tolerated}`,
        '--threads=2',
        `--max-input-size=${bytes_max}`,
      ],
      env: quarantine.env,
      stdin: Readable.from(enforceSendRate(reader.rest(), limits.least_upload_rate)),
      timeout_ms: quarantine_store_ms_max,
      signal,
      memory_bytes: estimateIndex_bytes(Math.min(objects, announced_objects_max)),
      onWait,
    })
    return { stderr: '', objects }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof GitError) || error.kind === 'not-running') throw error
    const problem = 'index-pack abnormal exit'
    const isTold = error.kind === 'too-large' || error.kind === 'out-of-memory'
    const advice = isTold ? `\nerror: ${error.message}\n${tooLargeText}` : ''
    return { problem, stderr: `${error.stderr}${advice}`, objects }
  }
}

const tooLargeText = 'The push is too large for this server at once. Please push it in parts.'

/** Returns no bytes for a request that ends before its pack. */
function nothingOf(error: unknown): Buffer {
  if (error instanceof PacketError) return Buffer.alloc(0)
  throw error
}

/** What the push contains, as far as the server looked at it while receiving. */
export type PushContents = {
  /** New `.gitattributes` files, wherever they stand; the first `attributes_max` of them. */
  gitAttributes: Oid[]
}

const attributes_max = 1000
const attributesName = '.gitattributes'

/**
 * Walks all new objects from the tips. Returns undefined if an object they need is neither in the quarantine nor reachable
 * in the repository.
 */
export async function checkPushConnectivity({
  git,
  repository,
  quarantine,
  tips,
  objects,
  signal,
}: {
  git: Git
  repository: Repository
  quarantine: Quarantine | undefined
  tips: readonly Oid[]
  /** How many objects were pushed. */
  objects: number
  signal?: AbortSignal
}): Promise<PushContents | undefined> {
  if (tips.length === 0) return { gitAttributes: [] }
  try {
    const { io, exit } = await spawnGit(git, repository, {
      args: ['rev-list', '--objects', '--stdin', '--not', '--all'],
      // A walk through a million trees takes a third less time with git's own default.
      env: { ...quarantine?.env, ...gitConfigEnvironment([['core.deltaBaseCacheLimit', '96m']]) },
      timeout_ms: check_ms_max,
      signal,
      memory_bytes: estimateObjectList_bytes(objects),
    })
    io.end(`${tips.join('\n')}\n`)
    const gitAttributes = await collectGitAttributesOids(io)
    await exit
    return { gitAttributes }
  } catch (error) {
    signal?.throwIfAborted()
    // Other failures are not about the objects.
    const isMissing =
      error instanceof GitError && !['timeout', 'out-of-memory', 'not-running'].includes(error.kind)
    if (isMissing) return undefined
    throw error
  }
}

/**
 * Collects the attribute files from lines `<oid> <path>`. There may be millions, so only lines with the file name are
 * parsed.
 */
export async function collectGitAttributesOids(output: AsyncIterable<Buffer>): Promise<Oid[]> {
  const found: Oid[] = []
  let open: Buffer[] = []
  for await (const chunk of output) {
    open.push(chunk)
    // A path may be of any length. Its pieces are joined once it is whole.
    if (!chunk.includes(10)) continue
    const data = Buffer.concat(open)
    const end = data.lastIndexOf(10) + 1
    for (let at = data.indexOf(attributesName); at >= 0 && at < end; ) {
      const lineEnd = data.indexOf(10, at)
      const start = data.lastIndexOf(10, at) + 1
      const path = `/${data.toString('latin1', start + 41, lineEnd)}`
      if (path.endsWith(`/${attributesName}`) && found.length < attributes_max) {
        found.push(parseGitOid(data.toString('latin1', start, start + 40)))
      }
      at = data.indexOf(attributesName, lineEnd)
    }
    open = [data.subarray(end)]
  }
  return found
}

/** Moves accepted objects into the repository. Indexes are moved last, since git uses a pack as soon as its index exists. */
export async function migrateQuarantine(
  repository: Repository,
  quarantine: Quarantine,
): Promise<void> {
  const from = join(quarantine.path, 'pack')
  const to = join(repository.path, 'objects', 'pack')
  const order = (name: string) => (name.endsWith('.idx') ? 2 : name.endsWith('.rev') ? 1 : 0)
  const names = (await readdir(from)).sort((a, b) => order(a) - order(b))
  await mkdir(to, { recursive: true })
  for (const name of names) await rename(join(from, name), join(to, name))
  await syncFolder(to)
}
