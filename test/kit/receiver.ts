// Another server, which keeps what it is sent: a real one, on the machine's own address.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atFileEnd } from './file-end.ts'

export type Received = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests say what is in it.
  body: any
}

export type Receiver = {
  /** `http://127.0.0.1:<port>` */
  url: string
  port: number
  received: Received[]
  /** How it answers; 200 and `ok` unless said. */
  answer: (response: ServerResponse, received: Received) => void
  /** The next call of those there are from now on. */
  next: () => Promise<Received>
  close: () => Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const waiting: ((received: Received) => void)[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url: path = '', headers } = request
    const text = Buffer.concat(chunks).toString()
    const received = { method, path, headers, body: text === '' ? undefined : JSON.parse(text) }
    receiver.received.push(received)
    waiting.shift()?.(received)
    receiver.answer(response, received)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    port,
    received: [],
    answer: (response) => response.end('ok'),
    next: () => new Promise((resolve) => waiting.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  atFileEnd(receiver.close)
  return receiver
}
