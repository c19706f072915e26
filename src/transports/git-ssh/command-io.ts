import { once } from 'node:events'
import type { Socket } from 'node:net'

/** The input and output of a command's client. Output is sent no faster than the client reads it. */
export abstract class CommandIo {
  /** Aborted when the client goes away, stands still for too long or is called off. */
  abstract readonly signal: AbortSignal

  /** What the client sends, to its end. */
  abstract chunks(): AsyncGenerator<Buffer>

  /** Resolves when more may be written; rejects once the client is gone. */
  abstract write(bytes: Buffer): Promise<void>

  /** Words that git shows its user as they are. */
  abstract warn(text: string): void

  /** Sends the client everything that comes from there. */
  async writeAll(source: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of source) await this.write(chunk)
  }

  /** Hands what the client sends to a program until either has enough; each piece once `ready` has resolved for it. */
  async feed(program: Socket, ready: (chunk: Buffer) => Promise<void>): Promise<void> {
    for await (const chunk of this.chunks()) {
      await ready(chunk)
      if (!program.writable) return
      if (!program.write(chunk)) await once(program, 'drain', { signal: this.signal })
    }
    program.end()
  }
}
