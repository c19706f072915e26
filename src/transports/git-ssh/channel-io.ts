// The two directions of a command's channel, each with backpressure.
import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import type { ServerChannel } from 'ssh2'
import { CommandIo } from './command-io.ts'

/** Above this many bytes that the network has not taken yet, nothing is written. */
const unsent_bytes_max = 1024 * 1024

export class ChannelIo extends CommandIo {
  readonly #channel: ServerChannel
  readonly #socket: Socket
  readonly signal: AbortSignal
  readonly #onMoved: () => void

  constructor(
    channel: ServerChannel,
    { socket, signal, onMoved }: { socket: Socket; signal: AbortSignal; onMoved: () => void },
  ) {
    super()
    this.#channel = channel
    this.#socket = socket
    this.signal = signal
    this.#onMoved = onMoved
    // Both are told by the signal; nobody else must be hit by them.
    channel.on('error', () => {})
    channel.stderr.on('error', () => {})
  }

  async *chunks(): AsyncGenerator<Buffer> {
    // Leaving off must not close the channel: the status is still to be sent.
    for await (const chunk of this.#channel.iterator({ destroyOnReturn: false })) {
      this.#onMoved()
      yield chunk
    }
  }

  async write(bytes: Buffer): Promise<void> {
    this.signal.throwIfAborted()
    const hasRoom = this.#channel.write(bytes)
    if (!hasRoom) await this.#drained(this.#channel)
    // The channel heeds the client's window, but not how fast the network takes what fits into it.
    while (this.#socket.writableLength > unsent_bytes_max) await this.#drained(this.#socket)
    this.#onMoved()
  }

  warn(text: string): void {
    this.#channel.stderr.write(text)
    this.#onMoved()
  }

  /** Ends the command: everything written, then the status, then the end. */
  async finish(status: number): Promise<void> {
    if (!this.signal.aborted) {
      const flushed = new EventEmitter()
      const isFlushed = once(flushed, 'done', { signal: this.signal }).catch(() => {})
      this.#channel.write(Buffer.alloc(0), () => flushed.emit('done'))
      await isFlushed
      this.#channel.exit(status)
    }
    this.#channel.end()
    this.#channel.close()
  }

  async #drained(stream: ServerChannel | Socket): Promise<void> {
    await once(stream, 'drain', { signal: this.signal })
  }
}
