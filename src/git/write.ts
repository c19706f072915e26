// Writes new objects as git writes loose ones: to a temporary name, flushed, then renamed. They are unreachable, hence
// harmless, until a reference moves to them.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { constants, createDeflate, deflateSync } from 'node:zlib'
import type { Oid } from './names.ts'
import type { TreeEntryMode } from './objects.ts'
import type { Repository } from './repository.ts'

export type NewObject = { oid: Oid; type: 'blob' | 'tree' | 'commit' | 'tag'; content: Buffer }

/** Returns an object with its id (`<type> <size>\0<content>`, SHA-1). */
export function newObject(type: NewObject['type'], content: Buffer): NewObject {
  const oid = createHash('sha1').update(headerOf(type, content)).update(content).digest('hex')
  return { oid: oid as Oid, type, content }
}

/** Returns a blob with its object id; other work gets turns while a large one is hashed. */
export async function newBlob(content: Buffer): Promise<NewObject> {
  const digest = createHash('sha1')
  for (const piece of piecesOf('blob', content)) {
    digest.update(piece)
    if (piece.length === piece_bytes) await setImmediate()
  }
  return { oid: digest.digest('hex') as Oid, type: 'blob', content }
}

function headerOf(type: NewObject['type'], content: Buffer): Buffer {
  return Buffer.from(`${type} ${content.length}\0`)
}

export type NewTreeEntry = { mode: TreeEntryMode; name: Buffer; oid: Oid }

/** Returns a tree of the given entries. git sorts folders as if their names ended in a slash. */
export function newTree(entries: readonly NewTreeEntry[]): NewObject {
  const slash = Buffer.from('/')
  const sortKey = ({ mode, name }: NewTreeEntry) =>
    mode === '040000' ? Buffer.concat([name, slash]) : name
  const sorted = [...entries].sort((a, b) => Buffer.compare(sortKey(a), sortKey(b)))
  const parts: Buffer[] = []
  for (const { mode, name, oid } of sorted) {
    parts.push(
      Buffer.from(`${mode.replace(/^0/, '')} `),
      name,
      Buffer.from([0]),
      Buffer.from(oid, 'hex'),
    )
  }
  return newObject('tree', Buffer.concat(parts))
}

export type GitIdentity = { name: string; email: string }

/** Returns a commit. Both of its dates are `date` in UTC, unless the author has another date. */
export function newCommit(commit: {
  tree: Oid
  parents: readonly Oid[]
  /** `date` in ISO 8601 with the offset to record, as commits are read. */
  author: GitIdentity & { date?: string }
  committer: GitIdentity
  date: Date
  message: string
}): NewObject {
  const time = `${Math.floor(commit.date.getTime() / 1000)} +0000`
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${formatIdentity(commit.author)} ${formatTime(commit.author.date) ?? time}`,
    `committer ${formatIdentity(commit.committer)} ${time}`,
    '',
    commit.message,
  ]
  return newObject('commit', Buffer.from(lines.join('\n')))
}

/** Returns an annotated tag of a commit, created at `date` in UTC. `name` must be valid for git. */
export function newTag(tag: {
  name: string
  target: Oid
  tagger: GitIdentity
  date: Date
  message: string
}): NewObject {
  const lines = [
    `object ${tag.target}`,
    'type commit',
    `tag ${tag.name}`,
    `tagger ${formatIdentity(tag.tagger)} ${Math.floor(tag.date.getTime() / 1000)} +0000`,
    '',
    tag.message.endsWith('\n') ? tag.message : `${tag.message}\n`,
  ]
  return newObject('tag', Buffer.from(lines.join('\n')))
}

/** Formats an ISO 8601 date as seconds and offset; undefined for an invalid date. */
function formatTime(date = ''): string | undefined {
  const time_ms = Date.parse(date)
  const offset = /([+-]\d\d):(\d\d)$/.exec(date)
  if (Number.isNaN(time_ms) || !offset) return undefined
  return `${Math.floor(time_ms / 1000)} ${offset[1]}${offset[2]}`
}

/**
 * Formats a name and email address. Characters that would break the line are removed, as git does. git refuses an empty
 * name, so the email address replaces it.
 */
function formatIdentity({ name, email }: GitIdentity): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is dropped.
  const clean = (text: string) => text.replace(/[\u0000-\u001f<>]/g, '').trim()
  return `${clean(name) || clean(email) || 'unknown'} <${clean(email)}>`
}

/**
 * Stores objects durably, and skips those that exist. Pass each object after those it refers to: they are stored in this
 * order, so a crash never leaves an object without the objects it needs.
 */
export async function writeObjects(
  repository: Repository,
  objects: readonly NewObject[],
): Promise<void> {
  const unique = new Map(objects.map((object) => [object.oid, object]))
  const written = await Promise.allSettled(
    [...unique.values()].map((object) => writeTemporary(repository, object)),
  )
  try {
    for (const result of written) {
      if (result.status === 'rejected') throw result.reason
      if (result.value) await rename(result.value.temporary, result.value.path)
    }
  } catch (error) {
    for (const result of written) {
      if (result.status === 'fulfilled' && result.value) {
        await rm(result.value.temporary, { force: true })
      }
    }
    throw error
  }
}

const large_bytes = 8 * 1024 * 1024
/** Compressed at once, in less time than the thread pool takes to begin. */
const small_bytes = 16 * 1024

/** Writes the file of an object under a temporary name; returns undefined if the object exists already. */
async function writeTemporary(
  repository: Repository,
  { oid, type, content }: NewObject,
): Promise<{ temporary: string; path: string } | undefined> {
  const folder = join(repository.path, 'objects', oid.slice(0, 2))
  const path = join(folder, oid.slice(2))
  if (existsSync(path)) return undefined
  // The same name as git's own temporary objects. Maintenance removes those that a crash leaves.
  const temporary = join(folder, `tmp_obj_${randomUUID()}`)
  const file = await openIn(folder, temporary)
  try {
    await writePacked(file, type, content)
    await file.sync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return { temporary, path }
}

async function writePacked(
  file: FileHandle,
  type: NewObject['type'],
  content: Buffer,
): Promise<void> {
  if (content.length <= small_bytes) {
    await file.writeFile(deflateSync(Buffer.concat([headerOf(type, content), content])))
    return
  }
  const level =
    content.length > large_bytes ? constants.Z_BEST_SPEED : constants.Z_DEFAULT_COMPRESSION
  // In chunks, so that neither the content nor its compressed form is copied in memory as a whole.
  await pipeline(piecesOf(type, content), createDeflate({ level }), (packed) =>
    file.writeFile(packed),
  )
}

const piece_bytes = 256 * 1024

function* piecesOf(type: NewObject['type'], content: Buffer): Generator<Buffer> {
  yield headerOf(type, content)
  for (let at = 0; at < content.length; at += piece_bytes) {
    yield content.subarray(at, at + piece_bytes)
  }
}

const attempts_max = 5

/** Makes a file, and the folder it needs, which a repack may remove at any time when it is empty. */
async function openIn(folder: string, path: string): Promise<FileHandle> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await open(path, 'wx', 0o444)
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isGone || attempt === attempts_max) throw error
      await mkdir(folder, { recursive: true })
    }
  }
}
