// A server that is told to stop while it works.

import { once } from 'node:events'
import { Agent } from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import { descendantsOf } from '../../tools/server-process.ts'
import { startServer } from '../kit/server.ts'
import { beginSlowPush, isUnpacking } from '../kit/slow-push.ts'

it('ends when the last request is answered, though its connection is kept', async () => {
  const server = await startServer()
  await server.ask('POST /projects', { name: 'anvil' })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const push = beginSlowPush(server, { path: 'anvil', branch: 'new', agent })
  await vi.waitFor(() => expect(descendantsOf(server.pid).some(isUnpacking)).toBe(true), 10_000)
  let isStopped = false
  const stopped = server.stop('SIGTERM').then(() => {
    isStopped = true
  })
  await vi.waitFor(() => expect(fetch(server.url)).rejects.toThrow(), 5_000)
  expect(isStopped).toBe(false)
  // What it gets is no pack, which the server says.
  push.end('no object')
  const [answer] = await once(push, 'response')
  expect(answer.statusCode).toBe(200)
  answer.resume()
  // Well before the 25 seconds after which it would give up.
  await vi.waitFor(() => expect(isStopped).toBe(true), 10_000)
  await stopped
})
