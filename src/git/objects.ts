// Parsed objects, cached by id: an object never changes. Cached for each repository, because a caller who may read one
// repository may not read another one with the same object.
import { createHash, hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { limits } from '../kernel/limits.ts'
import { createLruCache } from '../kernel/lru.ts'
import { CatFilePool, type GitObject, type ObjectInfo, type ObjectType } from './catfile.ts'
import { type Git, spawnGit } from './command.ts'
import { GitError } from './errors.ts'
import { enforceReadRate } from './least-rate.ts'
import { type Oid, parseGitOid } from './names.ts'
import type { Repository } from './repository.ts'

/** The author or committer of a commit, or the tagger of a tag; `date` is ISO 8601 with the recorded offset. */
export type AuthorOrCommitter = { name: string; email: string; date: string }

export type Commit = {
  oid: Oid
  tree: Oid
  parents: Oid[]
  author: AuthorOrCommitter
  committer: AuthorOrCommitter
  /** The whole message with its final newline, if it has one. */
  message: string
}

export type TreeEntryMode = '040000' | '100644' | '100755' | '120000' | '160000'
export type TreeEntry = { mode: TreeEntryMode; name: string; oid: Oid; raw: Buffer }

/** A blob that is small enough to be cached. */
export type Blob = { oid: Oid; content: Buffer; sha256: string }
export type Tag = {
  oid: Oid
  target: Oid
  targetType: ObjectType
  /** Very old tags have none. */
  tagger: AuthorOrCommitter | undefined
  /** Whole, with a signature if it has one. */
  message: string
}

type Parsed =
  | { type: 'commit'; value: Commit; size: number }
  | { type: 'tree'; value: TreeEntry[]; size: number }
  | { type: 'blob'; value: Blob; size: number }
  | { type: 'tag'; value: Tag; size: number }

/** Larger objects are not parsed: blobs are streamed, the others are nothing git itself makes. */
const most_bytes: Record<ObjectType, number> = {
  commit: 4 * 1024 * 1024,
  tag: 4 * 1024 * 1024,
  tree: limits.tree_bytes_max,
  blob: limits.cached_blob_bytes,
}

/** Larger ones are parsed only when somebody asks for them. */
const kept_written_bytes_max = 64 * 1024

/** Digests of blobs that are kept. */
const digests_max = 20_000

/** Reads objects through the pool of processes and a cache with a limit in bytes. */
export class ObjectReader {
  readonly #git: Git
  readonly #pool: CatFilePool
  readonly #cache = new LRUCache<string, Parsed>({
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: ({ size }) => size + 300,
  })
  readonly #infos = createLruCache<ObjectInfo>(20_000)
  /** By object alone: who asks has found it in a repository they may read. */
  readonly #digests = createLruCache<string>(digests_max)

  constructor(git: Git, now_ms: () => number) {
    this.#git = git
    this.#pool = new CatFilePool(git, now_ms)
  }

  /** Type and size; undefined when the repository has no such object. */
  async info(repository: Repository, oid: Oid): Promise<ObjectInfo | undefined> {
    const key = repository.path + oid
    const kept = this.#cache.peek(key)
    if (kept && kept.type === 'blob') return { oid, type: 'blob', size: kept.value.content.length }
    let info = this.#infos.get(key)
    if (!info) {
      info = await this.#pool.info(repository, oid)
      if (info) this.#infos.set(key, info)
    }
    return info
  }

  /** The commit of that name, or undefined when there is none (or it is no commit). */
  async commit(repository: Repository, oid: Oid): Promise<Commit | undefined> {
    const parsed = await this.#read(repository, oid)
    return parsed?.type === 'commit' ? parsed.value : undefined
  }

  /** Those of the names that are commits, in their order; at once where all of them are kept. */
  async commits(repository: Repository, oids: readonly Oid[]): Promise<Commit[]> {
    const kept = oids.map((oid) => this.#cache.get(repository.path + oid))
    const read = kept.every((parsed) => parsed !== undefined)
      ? kept
      : await Promise.all(oids.map((oid) => this.#read(repository, oid)))
    return read.flatMap((parsed) => (parsed?.type === 'commit' ? parsed.value : []))
  }

  /** Keeps commits and trees that the caller has just written, so that git is not asked for them. */
  keepWritten(repository: Repository, objects: readonly Omit<GitObject, 'size'>[]): void {
    for (const { oid, type, content } of objects) {
      const size = content.length
      if (type === 'blob' || size > kept_written_bytes_max) continue
      this.#cache.set(repository.path + oid, parse({ oid, type, content, size }))
    }
  }

  async tree(repository: Repository, oid: Oid): Promise<TreeEntry[] | undefined> {
    const parsed = await this.#read(repository, oid)
    return parsed?.type === 'tree' ? parsed.value : undefined
  }

  /** A blob of at most `limits.cached_blob_bytes`; ask `info` first. */
  async blob(repository: Repository, oid: Oid): Promise<Blob | undefined> {
    const parsed = await this.#read(repository, oid)
    return parsed?.type === 'blob' ? parsed.value : undefined
  }

  async tag(repository: Repository, oid: Oid): Promise<Tag | undefined> {
    const parsed = await this.#read(repository, oid)
    return parsed?.type === 'tag' ? parsed.value : undefined
  }

  /** A commit or tag as it is stored, which is not kept; undefined for anything else. */
  async source(repository: Repository, oid: Oid): Promise<GitObject | undefined> {
    const info = await this.info(repository, oid)
    if (info?.type !== 'commit' && info?.type !== 'tag') return undefined
    return info.size > most_bytes[info.type] ? undefined : this.#pool.read(repository, oid)
  }

  /** A blob of at most `bytes_max`, which is not kept: for what is read once. */
  async wholeBlob(
    repository: Repository,
    oid: Oid,
    bytes_max: number,
  ): Promise<Buffer | undefined> {
    const info = await this.info(repository, oid)
    if (info?.type !== 'blob' || info.size > bytes_max) return undefined
    return (await this.#pool.read(repository, oid))?.content
  }

  /** A blob of any size as a stream that keeps little in memory; it ends early where nobody reads. */
  async blobStream(repository: Repository, oid: Oid): Promise<Readable> {
    const { io } = await spawnGit(this.#git, repository, {
      args: ['cat-file', 'blob', oid],
      timeout_ms: limits.git_transfer_ms,
    })
    io.end()
    return enforceReadRate(io, limits.least_rate)
  }

  /** The SHA-256 of a blob that was asked for before. */
  knownSha256(oid: Oid): string | undefined {
    return this.#digests.get(oid)
  }

  /** The SHA-256 of a blob of any size, of which little is in memory at a time; read through once. */
  async sha256(repository: Repository, oid: Oid): Promise<string> {
    const kept = this.#digests.get(oid)
    if (kept) return kept
    const hashing = createHash('sha256')
    for await (const chunk of await this.blobStream(repository, oid)) hashing.update(chunk)
    const digest = hashing.digest('hex')
    this.#digests.set(oid, digest)
    return digest
  }

  /**
   * The object a revision of git's own syntax leads to (`v1~2`, a short name), peeled to a commit.
   * Only for what refs.ts could not answer; the text must not contain NUL.
   */
  async resolve(repository: Repository, revision: string): Promise<Oid | undefined> {
    return (await this.#pool.info(repository, `${revision}^{commit}`))?.oid
  }

  async forget(repository: Repository): Promise<void> {
    await this.#pool.forget(repository)
    for (const cache of [this.#cache, this.#infos]) {
      for (const key of cache.keys()) if (key.startsWith(repository.path)) cache.delete(key)
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #read(repository: Repository, oid: Oid): Promise<Parsed | undefined> {
    const key = repository.path + oid
    const kept = this.#cache.get(key)
    if (kept) return kept
    // The size is read first, since a client may name a huge object.
    const info = await this.info(repository, oid)
    if (!info || info.size > most_bytes[info.type]) return undefined
    const object = await this.#pool.read(repository, oid)
    if (!object) return undefined
    const parsed = parse(object)
    this.#cache.set(key, parsed)
    return parsed
  }
}

function parse(object: GitObject): Parsed {
  const { oid, content, size } = object
  switch (object.type) {
    case 'commit':
      return { type: 'commit', value: parseCommit(oid, content), size: size * 2 }
    case 'tree':
      return { type: 'tree', value: parseTree(content), size: size * 5 }
    case 'tag':
      return { type: 'tag', value: parseTag(oid, content), size: size * 2 }
    case 'blob':
      return { type: 'blob', value: { oid, content, sha256: hash('sha256', content) }, size }
  }
}

/** Parses a commit (gitformat-commit): header lines, a blank line, and the message in the encoding that the header names. */
export function parseCommit(oid: Oid, content: Buffer): Commit {
  const { headers, message } = parseHeaders(content)
  const tree = headers.find(([name]) => name === 'tree')?.[1]
  if (!tree) throw new GitError('failed', 'Malformed commit: no tree line.')
  return {
    oid,
    tree: parseGitOid(tree),
    parents: headers.filter(([name]) => name === 'parent').map(([, value]) => parseGitOid(value)),
    author: parseAuthorOrCommitter(headers.find(([name]) => name === 'author')?.[1]),
    committer: parseAuthorOrCommitter(headers.find(([name]) => name === 'committer')?.[1]),
    message,
  }
}

function parseTag(oid: Oid, content: Buffer): Tag {
  const { headers, message } = parseHeaders(content)
  const value = (wanted: string) => headers.find(([name]) => name === wanted)?.[1] ?? ''
  const tagger = value('tagger')
  return {
    oid,
    target: parseGitOid(value('object')),
    targetType: value('type') as ObjectType,
    tagger: tagger === '' ? undefined : parseAuthorOrCommitter(tagger),
    message,
  }
}

function parseHeaders(content: Buffer): { headers: [string, string][]; message: string } {
  const blank = content.indexOf('\n\n')
  const head = blank < 0 ? content : content.subarray(0, blank)
  const encoding = /^encoding (.+)$/m.exec(head.toString('latin1'))?.[1]
  const decode = decoderOf(encoding)
  const headers: [string, string][] = []
  for (const line of decode(head).split('\n')) {
    const space = line.indexOf(' ')
    // A line that begins with a space continues the header above (a signature): not needed here.
    if (space > 0) headers.push([line.slice(0, space), line.slice(space + 1)])
  }
  return { headers, message: blank < 0 ? '' : decode(content.subarray(blank + 2)) }
}

function decoderOf(encoding: string | undefined): (bytes: Buffer) => string {
  if (encoding) {
    try {
      const decoder = new TextDecoder(encoding)
      return (bytes) => decoder.decode(bytes)
    } catch {
      // An unknown encoding is read as UTF-8, as in git.
    }
  }
  return (bytes) => bytes.toString('utf8')
}

/** Parses `Name <email> seconds +hhmm`. Missing parts of a damaged line become empty, or the epoch. */
export function parseAuthorOrCommitter(text = ''): AuthorOrCommitter {
  const start = text.indexOf('<')
  const end = text.indexOf('>', start)
  if (start < 0 || end < 0) return { name: text, email: '', date: formatGitDate(0, '+0000') }
  const [, seconds = '0', offset = '+0000'] =
    /^\s+(-?\d+)\s+([+-]\d{4})/.exec(text.slice(end + 1)) ?? []
  return {
    name: text.slice(0, start).trimEnd(),
    email: text.slice(start + 1, end),
    date: formatGitDate(Number(seconds), offset),
  }
}

/** Formats a date in ISO 8601 with milliseconds and the given `+hhmm` offset (docs/api/conventions.md, "Dates"). */
export function formatGitDate(epoch_s: number, offset: string): string {
  const sign = offset.startsWith('-') ? -1 : 1
  const minutes = sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3, 5)))
  const local = new Date((epoch_s + minutes * 60) * 1000)
  // Seconds far outside the calendar occur in damaged commits.
  if (Number.isNaN(local.getTime())) return '1970-01-01T00:00:00.000+00:00'
  return `${local.toISOString().slice(0, -1)}${offset.slice(0, 3)}:${offset.slice(3, 5)}`
}

/** Parses a tree: entries `<mode> <name>\0<20 bytes>` without separators. Invalid UTF-8 in names is replaced. */
export function parseTree(content: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at)
    const nul = content.indexOf(0, space)
    if (space < 0 || nul < 0) throw new GitError('failed', 'Malformed tree object.')
    const raw = content.subarray(space + 1, nul)
    entries.push({
      mode: content.toString('latin1', at, space).padStart(6, '0') as TreeEntryMode,
      name: raw.toString('utf8'),
      oid: content.toString('hex', nul + 1, nul + 21) as Oid,
      raw: Buffer.from(raw),
    })
    at = nul + 21
  }
  return entries
}
