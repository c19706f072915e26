import type { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { streamKeepAlivesUntil } from './keep-alive.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const mark = '0005\x01'
const options = { after: Promise.resolve(), every_ms: 5000 }

async function collect(stream: Buffer | Readable): Promise<string> {
  if (Buffer.isBuffer(stream)) throw new Error('The report came as a whole.')
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts).toString('latin1')
}

it('sends a report that is in time as it is', async () => {
  const report = Promise.withResolvers<Buffer>()
  const answer = streamKeepAlivesUntil(report.promise, options)
  await vi.advanceTimersByTimeAsync(4999)
  report.resolve(Buffer.from('report'))
  expect(await answer).toEqual(Buffer.from('report'))
  expect(vi.getTimerCount()).toBe(0)
})

it('fails with a failure that is in time', async () => {
  await expect(streamKeepAlivesUntil(Promise.reject(new Error('no')), options)).rejects.toThrow(
    'no',
  )
})

it('says every five seconds that it is alive, once the request has come', async () => {
  const report = Promise.withResolvers<Buffer>()
  const arrival = Promise.withResolvers<void>()
  const answer = streamKeepAlivesUntil(report.promise, { ...options, after: arrival.promise })
  await vi.advanceTimersByTimeAsync(60_000)
  arrival.resolve()
  await vi.advanceTimersByTimeAsync(5000)
  const text = collect(await answer)
  await vi.advanceTimersByTimeAsync(10_001)
  report.resolve(Buffer.from('report'))
  expect(await text).toBe(`${mark.repeat(3)}report`)
})

it('ends in words the pusher reads when the report fails late', async () => {
  const report = Promise.withResolvers<Buffer>()
  const answer = streamKeepAlivesUntil(report.promise, options)
  await vi.advanceTimersByTimeAsync(5000)
  const text = collect(await answer)
  report.reject(new Error('no'))
  const words = 'The server failed to handle the push; what came of it is not known.\n'
  expect(await text).toBe(
    `${mark}${(words.length + 5).toString(16).padStart(4, '0')}\x03${words}0000`,
  )
})
