// A name server that answers for text records and addresses (RFC 1035), over UDP.
import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { atFileEnd } from './file-end.ts'

export type NameServer = {
  /** `127.0.0.1:<port>` */
  address: string
  /** Texts by name, which tests change. */
  texts: Map<string, string[]>
  asked: string[]
}

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server: NameServer = { address: '', texts: new Map(), asked: [] }
  socket.on('message', (query, { address, port }) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const name = labels.join('.').toLowerCase()
    server.asked.push(name)
    const question = query.subarray(12, at + 5)
    const texts = server.texts.get(name)
    const answers = (texts ?? []).map((text) => {
      const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
      const head = Buffer.from('c00c0010000100000000', 'hex')
      const length = Buffer.alloc(2)
      length.writeUInt16BE(data.length)
      return Buffer.concat([head, length, data])
    })
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(texts ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, question, ...answers]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  server.address = `127.0.0.1:${(socket.address() as AddressInfo).port}`
  atFileEnd(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return server
}
