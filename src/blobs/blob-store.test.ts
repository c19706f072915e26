import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { limits } from '../kernel/limits.ts'
import { contentAddressedPlace } from './blob-place.ts'
import {
  type BlobStore,
  deleteBlob,
  findBlobSize,
  readBlob,
  receiveBlob,
  removeBlobLeftovers,
} from './blob-store.ts'

const root = mkdtempSync(join(tmpdir(), 'bloomery-blobs-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let made = 0
const newStore = (): BlobStore => ({ path: join(root, String(++made)) })
const files = ({ path }: BlobStore) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
const place = contentAddressedPlace('lfs', sha256('anything'))

async function store(blobs: BlobStore, content: string) {
  const place = contentAddressedPlace('lfs', sha256(content))
  const stream = Readable.from([Buffer.from(content)])
  await (await receiveBlob(blobs, stream, { place, bytes_max: 100 })).commit()
  return place
}

describe('a blob', () => {
  it('is hashed and counted while it comes in, and lies under its hash', async () => {
    const blobs = newStore()
    const stream = Readable.from([Buffer.from('one '), Buffer.from('two')])
    const place = contentAddressedPlace('lfs', sha256('one two'))
    const received = await receiveBlob(blobs, stream, { place, bytes_max: 7 })
    expect(received).toMatchObject({ sha256: sha256('one two'), size: 7 })
    expect(await findBlobSize(blobs, place)).toBeUndefined()
    expect(await readBlob(blobs, place)).toBeUndefined()
    await received.commit()
    const hash = sha256('one two')
    expect(files(blobs)).toEqual([`lfs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`])
    expect(await findBlobSize(blobs, place)).toBe(7)
  })

  it('may have no bytes', async () => {
    const blobs = newStore()
    const received = await receiveBlob(blobs, Readable.from([]), { place, bytes_max: 0 })
    expect(received).toMatchObject({ sha256: sha256(''), size: 0 })
    await received.discard()
    expect(files(blobs)).toEqual([])
  })

  it.each([
    [{}, '0123456789'],
    [{ start: 2, end: 4 }, '234'],
    [{ start: 9, end: 9 }, '9'],
    [{ start: 8 }, '89'],
  ])('is read with %j as %s', async (range, text) => {
    const blobs = newStore()
    const place = await store(blobs, '0123456789')
    const stream = await readBlob(blobs, place, range)
    expect(stream && (await buffer(stream)).toString()).toBe(text)
  })

  it('can be stored again, and is gone once it is deleted', async () => {
    const blobs = newStore()
    const place = await store(blobs, 'x')
    await store(blobs, 'x')
    expect(files(blobs)).toHaveLength(1)
    await deleteBlob(blobs, place)
    await deleteBlob(blobs, place)
    expect(files(blobs)).toEqual([])
  })

  it('goes on being read when it is deleted meanwhile', async () => {
    const blobs = newStore()
    const place = await store(blobs, 'still here')
    const stream = await readBlob(blobs, place)
    await deleteBlob(blobs, place)
    expect(stream && (await buffer(stream)).toString()).toBe('still here')
  })

  it.each(['../../etc/passwd', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}\n`])(
    'cannot lie under %j',
    (name) => {
      expect(() => contentAddressedPlace('lfs', name)).toThrow('must be a SHA-256')
    },
  )
})

describe('an upload', () => {
  it('that is larger than announced leaves nothing, and its stream to whom it belongs', async () => {
    const blobs = newStore()
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(10))
      },
    })
    await expect(receiveBlob(blobs, endless, { place, bytes_max: 25 })).rejects.toMatchObject({
      kind: 'too-large',
    })
    expect(endless.destroyed).toBe(false)
    expect(files(blobs)).toEqual([])
  })

  it('that breaks off leaves nothing', async () => {
    const blobs = newStore()
    const stream = new PassThrough()
    stream.write('some')
    const receiving = receiveBlob(blobs, stream, { place, bytes_max: 100 })
    stream.destroy(new Error('The client went away.'))
    await expect(receiving).rejects.toThrow('The client went away.')
    expect(files(blobs)).toEqual([])
  })

  it('that stands still is ended', async () => {
    const blobs = newStore()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const receiving = receiveBlob(blobs, new PassThrough(), { place, bytes_max: 100 })
      const outcome = receiving.catch((error) => error.kind)
      while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
      vi.advanceTimersByTime(limits.upload_idle_ms)
      expect(await outcome).toBe('idle')
    } finally {
      vi.useRealTimers()
    }
    expect(files(blobs)).toEqual([])
  })

  it('of a server that died is removed after a quiet hour, one that goes on is not', async () => {
    const blobs = newStore()
    const kept = await store(blobs, 'kept')
    const incoming = join(blobs.path, 'incoming')
    const now_ms = Date.parse('2026-03-01T12:00:00Z')
    for (const [name, age_s] of [
      ['dead', 3601],
      ['alive', 3599],
    ] as const) {
      writeFileSync(join(incoming, name), 'half')
      utimesSync(join(incoming, name), now_ms / 1000 - age_s, now_ms / 1000 - age_s)
    }
    expect(await removeBlobLeftovers(blobs, now_ms)).toEqual(['dead'])
    expect(files(blobs).sort()).toEqual(['incoming/alive', kept])
    expect(await removeBlobLeftovers(newStore(), now_ms)).toEqual([])
  })
})
