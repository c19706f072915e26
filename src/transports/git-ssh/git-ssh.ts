// Git over SSH: listening, how many may come, and ending in order. What a connection does is its own.

import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import ssh2, { type Algorithms } from 'ssh2'
import type { Instance } from '../../http/endpoint.ts'
import { limits } from '../../kernel/limits.ts'
import { SshConnection } from './connection.ts'
import { ensureHostKeys } from './host-keys.ts'
import type { SshLimits } from './run-command.ts'

export type GitSshOptions = {
  services: Instance
  log: FastifyBaseLogger
  /** The public base URL, for a client that came to this address of ours. */
  baseUrlAt: (address: string) => string
  limits?: Partial<SshLimits>
  /** Told of every command that has ended, by its first word. */
  onCommand?: (name: string, isDone: boolean) => void
}

/** Nothing with SHA-1, no cipher without authentication, no exchange that takes long, no compression. */
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
  readonly #countByAddress = new Map<string, number>()
  #hostKeys: ssh2.ParsedKey[] = []
  #isClosing = false

  constructor(options: GitSshOptions) {
    this.#options = options
    this.#limits = { ...limits.ssh, ...options.limits }
    this.#server = createServer((socket) => this.#accept(socket))
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

  #accept(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const count = this.#countByAddress.get(address) ?? 0
    const { connections_max, connections_per_address_max } = this.#limits
    socket.on('error', () => {})
    if (
      this.#isClosing ||
      this.#sockets.size >= connections_max ||
      count >= connections_per_address_max
    ) {
      socket.destroy()
      return
    }
    this.#sockets.set(socket, undefined)
    this.#countByAddress.set(address, count + 1)
    const timer = setTimeout(() => socket.destroy(), this.#limits.handshake_ms)
    socket.once('close', () => {
      clearTimeout(timer)
      this.#release(socket, address)
    })
    socket.setNoDelay(true)
    this.#serve(socket, () => clearTimeout(timer))
  }

  #release(socket: Socket, address: string): void {
    this.#sockets.delete(socket)
    const left = (this.#countByAddress.get(address) ?? 1) - 1
    if (left > 0) this.#countByAddress.set(address, left)
    else this.#countByAddress.delete(address)
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
        }
        this.#sockets.set(socket, new SshConnection(client, connection))
      },
    )
    server.injectSocket(socket)
  }
}
