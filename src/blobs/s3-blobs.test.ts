// Blobs in a real S3 server, with and without faults on the way.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Fault, type S3Server, startS3 } from '../../test/kit/s3.ts'
import { ApiError } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import { contentAddressedPlace, newBlobName, ownBlobPlace } from './blob-place.ts'
import {
  type BlobStore,
  blobStoreOf,
  deleteBlob,
  findBlobSize,
  linkBlob,
  listBlobs,
  presignBlob,
  readBlob,
  receiveBlob,
  removeBlobLeftovers,
} from './blob-store.ts'
import { subscribeToS3Calls, subscribeToS3Failures } from './storage-calls.ts'

const root = mkdtempSync(join(tmpdir(), 'bloomery-s3-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterEach(() => s3.breakBy(() => undefined))

const newStore = (query?: Record<string, string>, folder?: string) =>
  blobStoreOf({ data: join(root, newBlobName()), blobs: s3.place(query, folder) })
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
/** A whole part and some of a second. */
const large = randomBytes(limits.s3.part_bytes + 12_345)
const small = Buffer.from('a small blob')

function piecesOf(content: Buffer): Readable {
  const pieces: Buffer[] = []
  for (let at = 0; at < content.length; at += 65_537) pieces.push(content.subarray(at, at + 65_537))
  return Readable.from(pieces)
}

const receive = (
  store: BlobStore,
  content: Buffer,
  place = contentAddressedPlace('lfs', sha256(content)),
) => receiveBlob(store, piecesOf(content), { place, bytes_max: content.length })

async function put(
  store: BlobStore,
  content: Buffer,
  place?: ReturnType<typeof contentAddressedPlace>,
) {
  const received = await receive(store, content, place)
  expect(received).toMatchObject({ sha256: sha256(content), size: content.length })
  await received.commit()
  return place ?? contentAddressedPlace('lfs', sha256(content))
}

async function read(store: BlobStore, place: ReturnType<typeof contentAddressedPlace>, range = {}) {
  const stream = await readBlob(store, place, range)
  return stream && buffer(stream)
}

async function placesIn(store: BlobStore) {
  const places: string[] = []
  for await (const { place } of listBlobs(store)) places.push(place)
  return places.sort()
}

describe('a blob in S3', () => {
  it.each([
    ['without bytes', Buffer.alloc(0)],
    ['that is small', small],
    ['of exactly one part', large.subarray(0, limits.s3.part_bytes)],
    ['of several parts', large],
  ])('%s is there once it was committed, with its bytes', async (_, content) => {
    const store = newStore()
    const place = contentAddressedPlace('lfs', sha256(content))
    const received = await receive(store, content)
    expect(await findBlobSize(store, place)).toBeUndefined()
    expect(await readBlob(store, place)).toBeUndefined()
    await received.commit()
    expect(await findBlobSize(store, place)).toBe(content.length)
    expect((await read(store, place))?.equals(content)).toBe(true)
    expect(await placesIn(store)).toEqual([place])
  })
})

describe('a part of a blob in S3', () => {
  it.each([
    [{ start: 0, end: 0 }],
    [{ start: 8_388_600, end: 8_388_620 }],
    [{ start: large.length - 3 }],
    [{ start: 5, end: large.length - 1 }],
  ])('%j has these bytes alone', async (range) => {
    const store = newStore()
    const place = await put(store, large)
    const { start, end = large.length - 1 } = range as { start: number; end?: number }
    const part = await read(store, place, range)
    expect(part?.equals(large.subarray(start, end + 1))).toBe(true)
  })
})

describe('an upload to S3', () => {
  it.each([
    ['of few bytes', small],
    ['of several parts', large],
  ])('%s that is discarded leaves nothing', async (_, content) => {
    const store = newStore()
    const received = await receive(store, content)
    await received.discard()
    expect(await placesIn(store)).toEqual([])
    const later_ms = Date.now() + 2 * limits.s3.leftovers_quiet_ms
    expect(await removeBlobLeftovers(store, later_ms)).toEqual([])
  })

  it('is not removed by a late discard', async () => {
    const store = newStore()
    const received = await receive(store, large)
    await received.commit()
    await received.discard()
    expect(await placesIn(store)).toHaveLength(1)
  })

  it('that is larger than announced leaves nothing', async () => {
    const store = newStore()
    const place = ownBlobPlace('artifacts', newBlobName())
    const bytes_max = large.length - 1
    const receiving = receiveBlob(store, piecesOf(large), { place, bytes_max })
    await expect(receiving).rejects.toMatchObject({ kind: 'too-large' })
    expect(await placesIn(store)).toEqual([])
  })

  it('of a server that died is aborted after a quiet day', async () => {
    const folder = newBlobName()
    // The parts are sent, and nobody completes or discards them.
    await receive(newStore({}, folder), large)
    const now_ms = Date.now()
    expect(await removeBlobLeftovers(newStore({}, folder), now_ms)).toEqual([])
    const later_ms = now_ms + limits.s3.leftovers_quiet_ms + 60_000
    const place = contentAddressedPlace('lfs', sha256(large))
    expect(await removeBlobLeftovers(newStore({}, folder), later_ms)).toEqual([place])
    expect(await removeBlobLeftovers(newStore({}, folder), later_ms)).toEqual([])
  })

  it('replaces a blob of the same place', async () => {
    const store = newStore()
    const place = ownBlobPlace('logs', newBlobName())
    await put(store, large, place)
    await put(store, small, place)
    expect((await read(store, place))?.equals(small)).toBe(true)
  })
})

describe('a second place in S3', () => {
  it('outlives the first', async () => {
    const store = newStore()
    const from = ownBlobPlace('artifacts', newBlobName())
    const place = ownBlobPlace('pages', newBlobName())
    await put(store, large, from)
    expect(await linkBlob(store, from, place)).toBe(true)
    await deleteBlob(store, from)
    expect((await read(store, place))?.equals(large)).toBe(true)
    expect(await linkBlob(store, from, place)).toBe(false)
  })
})

describe('a second place of a large blob', () => {
  it('is copied by parts', async () => {
    const store = newStore()
    const from = ownBlobPlace('artifacts', newBlobName())
    const place = ownBlobPlace('pages', newBlobName())
    const content = Buffer.concat([Buffer.alloc(limits.s3.copy_bytes_max), small])
    await put(store, content, from)
    s3.takeCalls()
    expect(await linkBlob(store, from, place)).toBe(true)
    const parts = s3.takeCalls().filter(({ path }) => path.includes('partNumber='))
    expect(parts).toHaveLength(2)
    expect((await read(store, place))?.equals(content)).toBe(true)
  })
})

describe('an answer of S3 that is lost', () => {
  it.each([
    ['PUT', 'small', small],
    ['PUT', 'large', large],
    ['POST', 'large', large],
    ['DELETE', 'small', small],
  ] as const)('to %s of a %s blob changes nothing', async (method, _, content) => {
    const store = newStore()
    const own = ownBlobPlace('logs', newBlobName())
    const lost: string[] = []
    const loseOnce = (path: RegExp) =>
      s3.breakBy((call) => {
        if (call.method !== method || lost.length > 0 || !path.test(call.path)) return undefined
        lost.push(call.path)
        return 'lost'
      })
    // The beginning of parts is repeated too, and leaves an upload that is removed as a leftover.
    loseOnce(method === 'POST' ? /uploadId=/ : /./)
    await (await receive(store, content, own)).commit()
    expect((await read(store, own))?.equals(content)).toBe(true)
    await deleteBlob(store, own)
    expect(lost).toHaveLength(1)
    expect(await placesIn(store)).toEqual([])
  })
})

describe('a completion of S3', () => {
  it('whose answer was lost has ended, though S3 forgot the upload', async () => {
    const store = newStore()
    const received = await receive(store, large)
    const faults: Fault[] = ['lost', 'forgotten']
    s3.breakBy(({ method }) => (method === 'POST' ? faults.shift() : undefined))
    await received.commit()
    expect(faults).toEqual([])
    expect((await read(store, contentAddressedPlace('lfs', sha256(large))))?.equals(large)).toBe(
      true,
    )
  })

  it('of an upload that was aborted fails', async () => {
    const store = newStore()
    const received = await receive(store, large)
    s3.breakBy(({ method }) => (method === 'POST' ? 'forgotten' : undefined))
    await failureOf(received.commit())
    s3.breakBy(() => undefined)
    expect(await placesIn(store)).toEqual([])
    await received.discard()
  })
})

describe('a blob that is still on the disk', () => {
  it('is read, copied to S3 for a second place, and deleted in both', async () => {
    const data = join(root, newBlobName())
    const onDisk = blobStoreOf({ data, blobs: undefined })
    const store = blobStoreOf({ data, blobs: s3.place() })
    const from = ownBlobPlace('artifacts', newBlobName())
    await put(onDisk, small, from)
    expect((await read(store, from))?.equals(small)).toBe(true)
    expect(await findBlobSize(store, from)).toBe(small.length)
    expect(await placesIn(store)).toEqual([from])
    expect(await presignBlob(store, from)).toBeUndefined()
    const place = ownBlobPlace('pages', newBlobName())
    expect(await linkBlob(store, from, place)).toBe(true)
    await deleteBlob(store, from)
    expect(await placesIn(onDisk)).toEqual([])
    expect(await placesIn(store)).toEqual([place])
  })
})

describe('a presigned URL', () => {
  it('downloads one blob, under a name, without credentials', async () => {
    const store = newStore()
    const place = await put(store, small)
    const disposition = 'attachment; filename="all my files.zip"'
    const url = (await presignBlob(store, place, { disposition })) ?? ''
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe(disposition)
    expect(Buffer.from(await answer.arrayBuffer()).equals(small)).toBe(true)
    expect(
      (await fetch(url.replace(place, contentAddressedPlace('lfs', '0'.repeat(64))))).status,
    ).toBe(403)
    expect(url).toContain(`X-Amz-Expires=${limits.s3.presigned_s}`)
    expect(url).not.toContain(encodeURIComponent(s3.place().secretAccessKey))
  })

  it.each([
    ['proxy_download', 'true'],
    ['new', 'disk'],
  ])('is not made with %s=%s', async (name, value) => {
    const store = newStore({ [name]: value })
    const place = await put(store, small)
    expect(await presignBlob(store, place)).toBeUndefined()
  })
})

const faults: Fault[] = ['error', 'reset', 'stall', 'corrupt', 'denied']

/** Takes what is thrown, which is a 503 with a sentence and says nothing secret. */
async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  const { status, message, cause } = error as ApiError
  expect(status).toBe(503)
  expect(message).toMatch(/^503 Service Unavailable - The object storage /)
  const { secretAccessKey, accessKeyId } = s3.place()
  for (const text of [message, String(cause), (cause as Error).stack]) {
    expect(text).not.toContain(secretAccessKey)
    expect(text).not.toContain(accessKeyId)
  }
  return error as ApiError
}

describe.each(faults)('while S3 has the fault %s', (fault) => {
  /** One place twice: with little patience for what stands still, and with the usual one. */
  const newStores = () => {
    const folder = newBlobName()
    const query = fault === 'stall' ? { timeout: '0.5' } : undefined
    return { folder, faulty: newStore(query, folder), store: newStore({}, folder) }
  }

  it.each([
    ['a small blob', small],
    ['a blob of several parts', large],
  ])('%s is not stored, and another one is', async (_, content) => {
    const { folder, faulty, store } = newStores()
    const place = contentAddressedPlace('lfs', sha256(content))
    s3.breakBy(({ path }) => (path.includes(folder) ? fault : undefined))
    const storing = receive(faulty, content).then((received) => received.commit())
    const [error] = await Promise.all([failureOf(storing), put(newStore(), large)])
    s3.breakBy(() => undefined)
    if (fault === 'denied') expect(error.message).toContain('refuses the requests')
    expect(await findBlobSize(store, place)).toBeUndefined()
    expect(await placesIn(store)).toEqual([])
    await put(store, content)
    expect((await read(store, place))?.equals(content)).toBe(true)
  })

  it('a blob is not completed, and can be sent again', async () => {
    const { faulty, store } = newStores()
    const received = await receive(faulty, small)
    s3.breakBy(({ method }) => (method === 'PUT' ? fault : undefined))
    await failureOf(received.commit())
    s3.breakBy(() => undefined)
    await received.discard()
    expect(await placesIn(store)).toEqual([])
    const parts = await receive(faulty, large)
    s3.breakBy(({ method }) => (method === 'POST' ? fault : undefined))
    await failureOf(parts.commit())
    s3.breakBy(() => undefined)
    await parts.discard()
    expect(await placesIn(store)).toEqual([])
    await put(store, large)
  })

  it.each([
    ['small', small, undefined],
    ['large', large, undefined],
    ['small', small, 'artifacts'],
    ['large', large, 'artifacts'],
  ] as const)('a whole %s blob is not read to its end', async (_, content, kind) => {
    const { faulty, store } = newStores()
    const own = kind && ownBlobPlace(kind, newBlobName())
    const place = await put(store, content, own)
    s3.breakBy(({ method }) => (method === 'GET' ? fault : undefined))
    await failureOf(read(faulty, place))
    s3.breakBy(() => undefined)
    expect((await read(store, place))?.equals(content)).toBe(true)
  })
})

describe.each(faults.filter((fault) => fault !== 'denied'))('a fault %s that passes', (fault) => {
  it('is noticed by nobody', async () => {
    const store = newStore({ timeout: '2' })
    const place = await put(store, large)
    const once = (method: string) => {
      let left = 1
      s3.breakBy((call) => (call.method === method && left-- > 0 ? fault : undefined))
    }
    once('PUT')
    await put(store, small)
    once('POST')
    await put(store, large, ownBlobPlace('logs', newBlobName()))
    // What was sent to the reader cannot be taken back.
    if (fault !== 'corrupt') once('GET')
    expect((await read(store, place))?.equals(large)).toBe(true)
  })
})

describe('reading from S3', () => {
  it('waits for a slow reader for longer than S3 may stand still', async () => {
    const folder = newBlobName()
    const place = await put(newStore({}, folder), large)
    const stream = await readBlob(newStore({ timeout: '0.5' }, folder), place)
    const chunks: Buffer[] = []
    for await (const chunk of stream ?? []) {
      if (chunks.length === 1) await new Promise((resolve) => setTimeout(resolve, 1000))
      chunks.push(chunk)
    }
    expect(Buffer.concat(chunks).equals(large)).toBe(true)
  })

  it('ends with an error where the rest cannot be had', async () => {
    const store = newStore()
    const place = await put(store, large, ownBlobPlace('artifacts', newBlobName()))
    const faults: Fault[] = ['reset', 'forgotten']
    s3.breakBy(({ method }) => (method === 'GET' ? faults.shift() : undefined))
    // No checksum would tell of a part.
    await failureOf(read(store, place, { start: 1 }))
    expect(faults).toEqual([])
  })

  it('counts each call, also those that are repeated', async () => {
    const calls: string[] = []
    const end = subscribeToS3Calls(({ method, isDone }) => calls.push(`${method} ${isDone}`))
    const store = newStore()
    const place = await put(store, Buffer.from('small'))
    const faults: Fault[] = ['error']
    s3.breakBy(({ method }) => (method === 'GET' ? faults.shift() : undefined))
    for await (const _ of (await readBlob(store, place)) ?? []);
    end()
    expect(calls.filter((call) => /^(PUT|GET)/.test(call))).toEqual([
      'PUT true',
      'GET false',
      'GET true',
    ])
  })

  it('reports no failure of S3 where the reader goes', async () => {
    const failures: unknown[] = []
    const end = subscribeToS3Failures((cause) => failures.push(cause))
    const store = newStore()
    const place = await put(store, large)
    for await (const _ of (await readBlob(store, place)) ?? []) break
    const waiting = await readBlob(store, place)
    waiting?.resume()
    setImmediate(() => waiting?.destroy())
    await new Promise((resolve) => waiting?.once('close', resolve))
    await new Promise((resolve) => setTimeout(resolve, 50))
    end()
    expect(failures).toEqual([])
  })

  it('ends the connection of a reader who goes', async () => {
    const store = newStore()
    const place = await put(store, large)
    const stream = await readBlob(store, place)
    stream?.destroy()
    await new Promise((resolve) => stream?.once('close', resolve))
    const begun = await readBlob(store, place)
    for await (const _ of begun ?? []) break
    expect(begun?.destroyed).toBe(true)
  })
})
