// A server moves to S3 and back: it goes on, and no blob is ever missing, though the move is killed in the middle.
import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { blobStoreOf, listBlobs } from '../../src/blobs/blob-store.ts'
import { limits } from '../../src/kernel/limits.ts'
import { type CommandResult, runCommand } from '../kit/command.ts'
import { multipart } from '../kit/form.ts'
import { newFolder } from '../kit/git.ts'
import { type S3Server, startS3 } from '../kit/s3.ts'
import { type Server, startServer } from '../kit/server.ts'

const folder = randomUUID()
const data = newFolder()
const contents = [
  randomBytes(limits.s3.part_bytes + 1),
  ...Array.from({ length: 30 }, () => randomBytes(100)),
]
let s3: S3Server
let server: Server
/** Paths of the uploads in the API, in the order of their contents. */
let urls: string[] = []

async function restart(settings: Record<string, string>): Promise<void> {
  await server?.stop()
  server = await startServer({ BLOOMERY_DATA: data, ...settings })
}

const headers = () => ({ 'private-token': server.root.token })

beforeAll(async () => {
  s3 = await startS3()
  await restart({})
  const { id } = await server.ask<{ id: number }>('POST /projects', { name: 'kept' })
  for (const content of contents) {
    const { body, options } = multipart({ file: { filename: 'a.bin', content } })
    const answer = await fetch(`${server.url}/api/v4/projects/${id}/uploads`, {
      method: 'POST',
      headers: { ...headers(), ...options.headers },
      body: new Uint8Array(body),
    })
    const { url } = (await answer.json()) as { url: string }
    urls = [...urls, `/api/v4/projects/${id}${url}`]
  }
})

/** Reads every upload and compares it; returns how many were read. */
async function readAll(): Promise<number> {
  for (const [nth, url] of urls.entries()) {
    const answer = await fetch(`${server.url}${url}`, { headers: headers() })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, bytes.equals(contents[nth] ?? Buffer.of())]).toEqual([200, true])
  }
  return urls.length
}

/** Reads again and again while `work` goes on. */
async function whileRead<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  const reading = (async () => {
    while (!isOver) await readAll()
  })()
  const result = await work.finally(() => {
    isOver = true
  })
  await reading
  return result
}

const move = (
  settings: Record<string, string>,
  onStart?: (kill: () => void) => void,
): Promise<CommandResult> => runCommand({ data }, ['blobs', 'move'], settings, onStart)

async function count(place: 'disk' | 's3'): Promise<number> {
  const store =
    place === 'disk'
      ? { data, blobs: undefined }
      : { data: newFolder(), blobs: s3.place({}, folder) }
  let found = 0
  for await (const _ of listBlobs(blobStoreOf(store))) found++
  return found
}

describe.each([
  ['S3', {}, 'PUT', 'disk', 's3'],
  ['the disk', { new: 'disk' }, 'DELETE', 's3', 'disk'],
] as const)('a move to %s', (_, query: Record<string, string>, method, from, to) => {
  it('is refused while the server does not know of it', async () => {
    const { status, stderr } = await move(s3.settings(query, folder))
    expect(status).toBe(1)
    expect(stderr).toContain('The server was not started with this BLOOMERY_BLOBS.')
  })

  it('goes on after it was killed, and the server misses nothing meanwhile', async () => {
    const settings = s3.settings(query, folder)
    await restart(settings)
    expect(await readAll()).toBe(contents.length)
    let kill = () => {}
    let calls = 0
    s3.breakBy((call) => {
      if (call.method !== method || ++calls < 12) return undefined
      kill()
      return 'stall'
    })
    const killed = await whileRead(
      move(settings, (kills) => {
        kill = kills
      }),
    )
    s3.breakBy(() => undefined)
    expect(killed.status).toBeNull()
    const left = await count(from)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(contents.length)
    const moved = await whileRead(move(settings))
    expect(moved.stderr).toBe('')
    expect(moved.stdout).toContain(`Moved ${left} blobs to `)
    expect(moved.stdout).toContain('; 0 damaged.')
    expect([await count(from), await count(to)]).toEqual([0, contents.length])
    expect(await readAll()).toBe(contents.length)
  })
})

describe('a server', () => {
  it('starts without the setting once all blobs are on the disk again', async () => {
    await restart({})
    expect(await readAll()).toBe(contents.length)
  })

  it('does not start without the setting while its blobs are in S3', async () => {
    await restart(s3.settings({}, folder))
    await expect(restart({})).rejects.toThrow(
      `The blobs of this server are in ${s3.place({}, folder).name}. Set BLOOMERY_BLOBS to it.`,
    )
  })
})
