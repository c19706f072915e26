import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { JobLog } from './job-log.ts'
import { LogSender } from './log-sender.ts'
import { ProtocolClient } from './protocol-client.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

it('learns within about 3 seconds that a job which prints nothing was canceled', async () => {
  const asked: string[] = []
  server = createServer((request, response) => {
    asked.push(`${request.method}`)
    const isLog = request.method === 'PATCH'
    const isCanceled = asked.length > 2
    response.writeHead(isLog ? 202 : isCanceled ? 403 : 200, {
      'Job-Status': isCanceled ? 'canceled' : 'running',
      ...(isLog ? { 'X-Gitlab-Trace-Update-Interval': '3' } : {}),
    })
    response.end('{}')
    if (asked.length === 2) canceled_ms = Date.now()
  })
  let canceled_ms = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const bytes = Buffer.from('begun')
  const log = { size: bytes.length, read: () => bytes } as unknown as JobLog
  const verdict = await new Promise<string>((resolve) => {
    new LogSender({
      client: new ProtocolClient(`http://127.0.0.1:${port}`),
      job: { id: 1, token: 'a-token' },
      log,
      isDebug: false,
      onVerdict: resolve,
    }).start()
  })
  expect([verdict, asked]).toEqual(['ended', ['PATCH', 'PUT', 'PUT']])
  expect(Date.now() - canceled_ms).toBeLessThan(4500)
}, 15_000)
