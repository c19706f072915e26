// Streams a git command over SSH between the server that the client has reached and the one that runs it: a request
// whose body is the client's input, and a response of frames, which is sent while the body still arrives.

import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { CommandIo } from '../git-ssh/command-io.ts'

/** The kinds of frames. A frame is a byte for the kind, four for the length, and the content. */
const frames = { output: 1, warning: 2, status: 3 } as const
type FrameKind = (typeof frames)[keyof typeof frames]

const heading_bytes = 5

function writeFrame(target: Writable, kind: FrameKind, bytes: Buffer): boolean {
  const heading = Buffer.alloc(heading_bytes)
  heading.writeUInt8(kind, 0)
  heading.writeUInt32BE(bytes.length, 1)
  target.write(heading)
  return target.write(bytes)
}

/** The client of a command on the server that runs it. */
export class ForwardedIo extends CommandIo {
  readonly #input: Readable
  readonly #output: Writable
  readonly signal: AbortSignal

  constructor({
    input,
    output,
    signal,
  }: { input: Readable; output: Writable; signal: AbortSignal }) {
    super()
    this.#input = input
    this.#output = output
    this.signal = signal
  }

  async *chunks(): AsyncGenerator<Buffer> {
    yield* this.#input.iterator({ destroyOnReturn: false })
  }

  async write(bytes: Buffer): Promise<void> {
    this.signal.throwIfAborted()
    const hasRoom = writeFrame(this.#output, frames.output, bytes)
    if (!hasRoom) await once(this.#output, 'drain', { signal: this.signal })
  }

  warn(text: string): void {
    writeFrame(this.#output, frames.warning, Buffer.from(text))
  }

  /** Ends the command with its exit status. */
  finish(status: number): void {
    writeFrame(this.#output, frames.status, Buffer.from([status]))
    this.#output.end()
  }
}

/**
 * Passes the frames of a response to the client of the command, and returns its exit status. Throws if the response breaks
 * off.
 */
export async function readCommandAnswer(answer: IncomingMessage, io: CommandIo): Promise<number> {
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (;;) {
      if (pending.length < heading_bytes) break
      const end = heading_bytes + pending.readUInt32BE(1)
      if (pending.length < end) break
      const kind = pending.readUInt8(0)
      const bytes = pending.subarray(heading_bytes, end)
      pending = pending.subarray(end)
      if (kind === frames.output) await io.write(bytes)
      else if (kind === frames.warning) io.warn(bytes.toString('utf8'))
      else return bytes.readUInt8(0)
    }
  }
  throw new Error('The server that ran the command went away.')
}
