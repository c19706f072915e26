// A large LFS object on its way to S3 and back: the server holds two parts of it, and nothing on its disk.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { basic, lfsType } from '../kit/lfs.ts'
import { startS3 } from '../kit/s3.ts'
import { startServer } from '../kit/server.ts'

const piece = randomBytes(1024 * 1024)
const pieces = 320
const size = pieces * piece.length

function* content() {
  for (let nth = 0; nth < pieces; nth++) yield piece
}

function hash(): string {
  const digest = createHash('sha256')
  for (const bytes of content()) digest.update(bytes)
  return digest.digest('hex')
}

it('takes little memory of the server, and none of its disk', { timeout: 180_000 }, async () => {
  const s3 = await startS3()
  const server = await startServer(s3.settings())
  const held_bytes = () => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  }
  await server.ask('POST /projects', { name: 'large' })
  const lfs = `${server.url}/root/large.git`
  const authorization = basic('root', server.root.token)
  const oid = hash()
  const begin_bytes = held_bytes()
  const upload = await fetch(`${lfs}/gitlab-lfs/objects/${oid}/${size}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/octet-stream' },
    body: Readable.toWeb(Readable.from(content())) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  expect(upload.status).toBe(200)
  const download = await fetch(`${lfs}/gitlab-lfs/objects/${oid}`, {
    headers: { authorization, accept: lfsType },
  })
  const digest = createHash('sha256')
  for await (const chunk of download.body ?? []) digest.update(chunk)
  expect(digest.digest('hex')).toBe(oid)
  // Some 60 MB are measured: parts, and what the collector of Node has not taken yet.
  expect(held_bytes() - begin_bytes).toBeLessThan(size / 2)
  expect(existsSync(join(server.data, 'blobs'))).toBe(false)
})
