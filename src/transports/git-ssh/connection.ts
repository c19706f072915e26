// The connection of one client: authentication, and the commands that run on it in parallel.

import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { AuthContext, Connection, ServerChannel, Session } from 'ssh2'
import { DatabaseAwayError, logFailure } from '../../db/database-away.ts'
import type { Instance } from '../../http/endpoint.ts'
import { monotonic_ms } from '../../kernel/clock.ts'
import { authenticateAttempt } from './authenticate.ts'
import { ChannelIo } from './channel-io.ts'
import { type ForwardCommand, runCommand, type SshLimits } from './run-command.ts'

/** A client with more unread or unsent data than this violates the protocol. */
const unread_bytes_max = 8 * 1024 * 1024
const unsent_bytes_max = 16 * 1024 * 1024

/** The smallest packets a client may ask for; writing to one that takes none would never end. */
const packet_bytes_min = 1024

const databaseAwayText = 'The database cannot be reached. Please try again later.\n'

/** How long a client has to disconnect after it was told to. */
const farewell_ms = 2_000

type SshConnectionOptions = {
  services: Instance
  socket: Socket
  limits: SshLimits
  baseUrl: string
  log: FastifyBaseLogger
  onSignedIn: () => void
  onCommand: ((name: string, isDone: boolean) => void) | undefined
  forward: ForwardCommand | undefined
}

export class SshConnection {
  readonly #client: Connection
  readonly #options: SshConnectionOptions
  readonly #sessions = new Set<Session>()
  readonly #commands = new Map<AbortController, ServerChannel>()
  #attempts = 0
  #keyId: number | undefined
  #timer: NodeJS.Timeout | undefined
  #isEnding = false

  constructor(client: Connection, options: SshConnectionOptions) {
    this.#client = client
    this.#options = options
    const { socket, limits, log } = options
    // A broken connection ends in 'close' whatever broke it.
    client.on('error', (error) => log.debug({ err: error }, 'ssh connection failed'))
    client.on('authentication', (context) => {
      this.#authenticate(context).catch((error) => {
        logFailure(log, error)
        socket.destroy()
      })
    })
    client.on('ready', () => {
      options.onSignedIn()
      this.#rest()
    })
    client.on('session', (accept, reject) => {
      if (this.#isEnding || this.#sessions.size >= limits.sessions_per_connection_max) reject()
      else this.#open(accept())
    })
    socket.on('data', () => this.#checkRoom())
    socket.on('close', () => {
      clearTimeout(this.#timer)
      for (const aborter of this.#commands.keys()) aborter.abort()
    })
  }

  /** Lets running commands end, then the connection. */
  end(): void {
    this.#isEnding = true
    if (this.#commands.size > 0) return
    this.#client.end()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#options.socket.destroy(), farewell_ms)
  }

  async #authenticate(context: AuthContext): Promise<void> {
    const { services, limits } = this.#options
    this.#attempts++
    if (this.#attempts > limits.attempts_max) return this.end()
    const verdict = await authenticateAttempt(services.db, services.clock, context)
    if (verdict === 'refused') return context.reject(['publickey'])
    if (verdict !== 'acceptable') this.#keyId = verdict.keyId
    context.accept()
  }

  /** Signed in, and nothing runs: not for ever. */
  #rest(): void {
    clearTimeout(this.#timer)
    if (this.#isEnding) this.end()
    else this.#timer = setTimeout(() => this.end(), this.#options.limits.idle_ms)
  }

  #open(session: Session): void {
    this.#sessions.add(session)
    let protocol: string | undefined
    session.on('close', () => this.#sessions.delete(session))
    session.on('env', (accept, reject, { key, val }) => {
      const isSound = key === 'GIT_PROTOCOL' && /^[a-z0-9=:.-]{1,200}$/.test(val)
      if (isSound) protocol = val
      // Neither is there for a client that does not want an answer.
      if (isSound) accept?.()
      else reject?.()
    })
    session.on('exec', (accept, _reject, { command }) => {
      this.#run(session, accept(), { line: command, protocol })
    })
    session.on('shell', (accept) => {
      this.#run(session, accept(), { line: undefined, protocol })
    })
  }

  #run(
    session: Session,
    channel: ServerChannel | undefined,
    command: { line: string | undefined; protocol: string | undefined },
  ): void {
    const { socket, services, limits, baseUrl } = this.#options
    // It is none where the client has ended the session or has started a command in it already.
    if (!channel || this.#keyId === undefined) return
    const { packetSize } = channel.outgoing as { packetSize: number }
    if (packetSize < packet_bytes_min) return void socket.destroy()
    const aborter = new AbortController()
    this.#commands.set(aborter, channel)
    clearTimeout(this.#timer)
    session.on('close', () => aborter.abort())
    let stall: NodeJS.Timeout | undefined
    const stallAfter = (stall_ms: number) => {
      clearTimeout(stall)
      stall = setTimeout(() => aborter.abort(), stall_ms)
    }
    stallAfter(limits.stall_ms)
    const io = new ChannelIo(channel, {
      socket,
      signal: aborter.signal,
      onMoved: () => stall?.refresh(),
    })
    const log = this.#options.log.child({
      key_id: this.#keyId,
      command: command.line?.slice(0, 300),
    })
    const { forward } = this.#options
    const context = {
      io,
      keyId: this.#keyId,
      baseUrl,
      limits,
      stallAfter,
      log,
      forward,
      ...command,
    }
    this.#conclude(io, runCommand(services, context), { log, line: command.line })
      .catch((error) => log.debug({ err: error }, 'ssh command failed'))
      .finally(() => {
        clearTimeout(stall)
        this.#commands.delete(aborter)
        if (this.#commands.size === 0 && !socket.destroyed) this.#rest()
      })
  }

  /** Sends the exit status of the command and logs it. */
  async #conclude(
    io: ChannelIo,
    running: Promise<number>,
    { log, line = '' }: { log: FastifyBaseLogger; line: string | undefined },
  ): Promise<void> {
    const start_ms = monotonic_ms()
    let status: number | undefined
    try {
      status = await running
    } catch (error) {
      if (!io.signal.aborted) {
        logFailure(log, error)
        const isAway = error instanceof DatabaseAwayError
        io.warn(isAway ? databaseAwayText : 'The server failed to handle the command.\n')
        status = 128
      }
    }
    const duration_ms = Math.round((monotonic_ms() - start_ms) * 100) / 100
    log.info({ status: status ?? 'aborted', duration_ms }, 'ssh command')
    this.#options.onCommand?.(line.split(' ', 1)[0] ?? '', status === 0)
    await io.finish(status ?? 128)
  }

  /** A client that sends past its window or reads no answers would fill the memory. */
  #checkRoom(): void {
    const { socket } = this.#options
    const isFlooding = [...this.#commands.values()].some(
      (channel) => channel.readableLength > unread_bytes_max,
    )
    if (isFlooding || socket.writableLength > unsent_bytes_max) socket.destroy()
  }
}
