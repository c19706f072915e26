// A way to another port that can fall silent, as a network does that loses packets: nothing arrives, and no connection ends.
import { connect, createServer, type Socket } from 'node:net'

export type SilentProxy = {
  port: number
  /** From now on nothing arrives at either end. */
  silence: () => void
  /** What was sent meanwhile arrives. */
  resume: () => void
  /** The connections stay silent, and new ones do not. */
  replace: () => void
  close: () => Promise<void>
}

/** Listens on a port of its own, and passes on to `port` of this machine. */
export async function startSilentProxy(port: number): Promise<SilentProxy> {
  const sockets = new Set<Socket>()
  /** Ends whose other end was closed in silence: they hear of it when something arrives again. */
  const orphans = new Set<Socket>()
  let isSilent = false
  const speak = () => {
    isSilent = false
    for (const socket of orphans) socket.destroy()
    orphans.clear()
  }
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        if (isSilent) orphans.add(to)
        else to.end()
      })
      if (isSilent) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The proxy has no port.')
  return {
    port: address.port,
    silence() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      speak()
      for (const socket of sockets) socket.resume()
    },
    replace() {
      speak()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
