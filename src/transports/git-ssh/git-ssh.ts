// Git over SSH: the listener, the limits of connections, and a graceful stop. connection.ts handles each connection.

import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import ssh2, { type Algorithms } from 'ssh2'
import type { Instance } from '../../http/endpoint.ts'
import { KeyCounts } from '../../kernel/key-counts.ts'
import { limits } from '../../kernel/limits.ts'
import { SshConnection } from './connection.ts'
import { ensureHostKeys } from './host-keys.ts'
import type { ForwardCommand, SshLimits } from './run-command.ts'

export type GitSshOptions = {
  services: Instance
  log: FastifyBaseLogger
  /** The public base URL, for a client that came to this address of ours. */
  baseUrlAt: (address: string) => string
  /** Counts the connections that the other workers of the server have from an address. */
  countElsewhere?: (address: string) => Promise<number>
  limits?: Partial<SshLimits>
  /** Told of every command that has ended, by its first word. */
  onCommand?: (name: string, isDone: boolean) => void
  /** Has other servers run commands, where repositories may be on their disks. */
  forward?: ForwardCommand
}

/** No SHA-1, no unauthenticated ciphers, no slow key exchange, no compression. */
const algorithms: Algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
  ],
  serverHostKey: ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'rsa-sha2-512', 'rsa-sha2-256'],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'chacha20-poly1305@openssh.com',
    'aes128-ctr',
    'aes256-ctr',
  ],
  hmac: [
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-512-etm@openssh.com',
    'hmac-sha2-256',
    'hmac-sha2-512',
  ],
  compress: ['none'],
}

export class GitSsh {
  readonly #options: GitSshOptions
  readonly #limits: SshLimits
  readonly #server: Server
  readonly #sockets = new Map<Socket, SshConnection | undefined>()
  readonly #addresses = new KeyCounts()
  #hostKeys: ssh2.ParsedKey[] = []
  #isClosing = false

  constructor(options: GitSshOptions) {
    this.#options = options
    this.#limits = { ...limits.ssh, ...options.limits }
    this.#server = createServer((socket) => void this.#accept(socket))
  }

  /** Listens there, port 0 for one that is free, and answers the port. Makes missing host keys first. */
  async listen(host: string, port: number): Promise<number> {
    this.#hostKeys = await ensureHostKeys(join(this.#options.services.config.data, 'ssh'))
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, host, () => resolve())
    })
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : port
  }

  /** Takes no more clients and commands, and resolves when all running commands have ended. */
  async close(): Promise<void> {
    this.#isClosing = true
    const isClosed = new Promise((resolve) => this.#server.close(resolve))
    for (const [socket, connection] of this.#sockets) {
      if (connection) connection.end()
      else socket.destroy()
    }
    await isClosed
  }

  /** How many clients are connected. */
  get connections(): number {
    return this.#sockets.size
  }

  /** How many clients are connected from an address. */
  countOf(address: string): number {
    return this.#addresses.of(address)
  }

  async #accept(socket: Socket): Promise<void> {
    socket.on('error', () => {})
    const address = socket.remoteAddress ?? ''
    const refusal = this.#findRefusal(address)
    if (refusal) {
      this.#refuse(socket, refusal)
      return
    }
    this.#sockets.set(socket, undefined)
    this.#addresses.add(address)
    const timer = setTimeout(() => socket.destroy(), this.#limits.handshake_ms)
    socket.once('close', () => {
      clearTimeout(timer)
      this.#release(socket, address)
    })
    if (await this.#isTooManyBesideOthers(address)) this.#refuse(socket, this.#tooManyFromAddress())
    if (socket.destroyed || socket.writableEnded) return
    socket.setNoDelay(true)
    this.#serve(socket, () => clearTimeout(timer))
  }

  /** Why one more connection from the address is refused, for its client to read; undefined where it is not. */
  #findRefusal(address: string): string | undefined {
    const { connections_max, connections_per_address_max } = this.#limits
    if (this.#isClosing) return 'The server is stopping. Try again later.'
    if (this.#sockets.size >= connections_max) {
      return `Too many connections, at most ${connections_max} at once. Try again later.`
    }
    return this.countOf(address) < connections_per_address_max
      ? undefined
      : this.#tooManyFromAddress()
  }

  /** A connection counts before it is let in: of two workers that take the last one at once, both may refuse. */
  async #isTooManyBesideOthers(address: string): Promise<boolean> {
    const { countElsewhere } = this.#options
    if (!countElsewhere) return false
    const elsewhere = await countElsewhere(address)
    return this.countOf(address) + elsewhere > this.#limits.connections_per_address_max
  }

  #tooManyFromAddress(): string {
    const { connections_per_address_max } = this.#limits
    return `Too many connections from your address, at most ${connections_per_address_max} at once. Try again later.`
  }

  /** Ends a connection with a line that clients may show before the protocol begins (RFC 4253, section 4.2). */
  #refuse(socket: Socket, reason: string): void {
    this.#options.log.warn({ ip: socket.remoteAddress, reason }, 'ssh connection refused')
    // What the client has sent is read: unread, it would have the connection reset before the line arrives.
    socket.resume().end(`${reason}\r\n`, () => socket.destroy())
  }

  #release(socket: Socket, address: string): void {
    this.#sockets.delete(socket)
    this.#addresses.remove(address)
  }

  /** The library hands a connection out without its socket, so each socket gets a server of its own. */
  #serve(socket: Socket, onSignedIn: () => void): void {
    const { services, baseUrlAt } = this.#options
    const log = this.#options.log.child({ ip: socket.remoteAddress })
    const server = new ssh2.Server(
      {
        hostKeys: this.#hostKeys.map((key) => ({ key })),
        algorithms,
        ident: 'Bloomery',
        keepaliveInterval: this.#limits.keepalive_ms,
        keepaliveCountMax: 4,
      },
      (client) => {
        const baseUrl = baseUrlAt(socket.localAddress ?? '')
        const connection = {
          services,
          socket,
          limits: this.#limits,
          baseUrl,
          log,
          onSignedIn,
          onCommand: this.#options.onCommand,
          forward: this.#options.forward,
        }
        this.#sockets.set(socket, new SshConnection(client, connection))
      },
    )
    server.injectSocket(socket)
  }
}
