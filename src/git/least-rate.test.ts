import { once } from 'node:events'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { enforceReadRate, enforceSendRate } from './least-rate.ts'

const rate = { window_ms: 20, bytes_per_s: 100_000_000 }

async function* much(): AsyncGenerator<Buffer> {
  for (let count = 0; count < 20; count++) yield Buffer.alloc(100_000, count)
}

it('ends who takes nothing of what is ready, and what it comes from', async () => {
  let isEnded = false
  async function* watched(): AsyncGenerator<Buffer> {
    try {
      yield* much()
    } finally {
      isEnded = true
    }
  }
  const stream = enforceReadRate(watched(), rate)
  // A reader that is never done with its first piece.
  stream.pipe(new Writable({ write() {} }))
  const [error] = await once(stream, 'error')
  expect(error.message).toBe('The client reads too slowly.')
  expect(isEnded).toBe(true)
})

it('waits for as long as it likes where nothing is ready', async () => {
  async function* slow(): AsyncGenerator<Buffer> {
    for (let count = 0; count < 3; count++) {
      yield Buffer.from('a')
      await new Promise((resolve) => setTimeout(resolve, 3 * rate.window_ms))
    }
  }
  let text = ''
  const reader = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  await pipeline(enforceReadRate(slow(), rate), reader)
  expect(text).toBe('aaa')
})

it('changes no byte, however large the pieces are', async () => {
  const pieces: Buffer[] = []
  for await (const piece of enforceReadRate(much(), { ...rate, window_ms: 10_000 }))
    pieces.push(piece)
  const expected: Buffer[] = []
  for await (const piece of much()) expected.push(piece)
  expect(Buffer.concat(pieces).equals(Buffer.concat(expected))).toBe(true)
})

it('fails as its source does', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('a')
    throw new Error('broken')
  }
  const stream = enforceReadRate(broken(), rate).resume()
  const [error] = await once(stream, 'error')
  expect(error.message).toBe('broken')
})

it('ends who sends nothing, and waits for nobody who sends enough', async () => {
  async function* drip(): AsyncGenerator<Buffer> {
    yield Buffer.from('a')
    await new Promise(() => {})
  }
  const readAll = async (source: AsyncIterable<Buffer>) => {
    const pieces: Buffer[] = []
    for await (const piece of enforceSendRate(source, rate)) pieces.push(piece)
    return Buffer.concat(pieces).length
  }
  await expect(readAll(drip())).rejects.toThrow('The client sends too slowly.')
  expect(await readAll(much())).toBe(2_000_000)
})
