// Public functions of blobs: contents of any size, and their raw responses.
import { Readable } from 'node:stream'
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import { Answer } from '../../../http/answer.ts'
import { tooLarge } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'

export type BlobLocation = { repository: Repository; blob: Oid; size: number }

/** Returns the SHA-256 of a blob of any size, without loading a large one into memory. Runs one process for each blob. */
export async function computeBlobSha256(git: GitAccess, { repository, blob, size }: BlobLocation) {
  if (size <= limits.cached_blob_bytes) {
    return (await git.objects.blob(repository, blob))?.sha256 ?? ''
  }
  return git.objects.sha256(repository, blob)
}

/** Returns the whole content of a blob that is small enough to be cached. */
async function contentOf(git: GitAccess, { repository, blob }: BlobLocation): Promise<Buffer> {
  return (await git.objects.blob(repository, blob))?.content ?? Buffer.alloc(0)
}

/**
 * Returns a JSON record with the blob in Base64 as its last member, `content`. A large blob is streamed, so that it is
 * never whole in memory. Throws 413 for one that is too large for JSON.
 */
export async function createJsonBlobAnswer(
  git: GitAccess,
  at: BlobLocation,
  { record, headers, method }: { record: object; headers: Record<string, string>; method: string },
): Promise<Answer> {
  const { repository, blob, size } = at
  if (size <= limits.cached_blob_bytes) {
    const content = (await contentOf(git, at)).toString('base64')
    return Answer.json(200, { ...record, content }, headers)
  }
  if (size > limits.inline_blob_bytes) throw tooLarge()
  const head = Buffer.from(JSON.stringify({ ...record, content: '' }).slice(0, -2))
  const length = head.length + Math.ceil(size / 3) * 4 + 2
  const all = { ...headers, 'content-type': 'application/json', 'content-length': String(length) }
  if (method === 'HEAD') return Answer.raw(undefined, all)
  const stream = await git.objects.blobStream(repository, blob)
  async function* pieces() {
    yield head
    yield* encodeBase64(stream)
    yield Buffer.from('"}')
  }
  return Answer.raw(Readable.from(pieces(), { objectMode: false }), all)
}

/**
 * Encodes a stream as Base64 (RFC 4648, section 4). Only multiples of three bytes are encoded, so that the
 * pieces can be concatenated.
 */
async function* encodeBase64(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk as Buffer])
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(whole)
    yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1')
  }
  yield Buffer.from(rest.toString('base64'), 'latin1')
}

/** Returns the content of a blob, streamed if it is large. `headersOf` receives its first bytes. */
export async function createRawBlobAnswer(
  git: GitAccess,
  at: BlobLocation,
  { method, headersOf }: { method: string; headersOf: (head: Buffer) => Record<string, string> },
): Promise<Answer> {
  const { repository, blob, size } = at
  const headers = { 'content-length': String(size), ETag: `W/"${blob}"` }
  if (size <= limits.cached_blob_bytes) {
    const content = await contentOf(git, at)
    return Answer.raw(content, { ...headers, ...headersOf(content) })
  }
  const stream = await git.objects.blobStream(repository, blob)
  const { head, whole } = await peek(stream)
  if (method === 'HEAD') {
    stream.destroy()
    return Answer.raw(undefined, { ...headers, ...headersOf(head) })
  }
  return Answer.raw(whole, { ...headers, ...headersOf(head) })
}

/** Returns the first chunk of a stream, and a stream of the whole content. */
async function peek(stream: Readable): Promise<{ head: Buffer; whole: Readable }> {
  const iterator = stream[Symbol.asyncIterator]()
  const first = await iterator.next()
  const head: Buffer = first.done ? Buffer.alloc(0) : first.value
  async function* all() {
    yield head
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { head, whole: Readable.from(all(), { objectMode: false }) }
}
