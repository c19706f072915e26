// What a fetching client receives besides the output of upload-pack: why it waits before git starts, and why the
// response ends early if git fails.
import { ApiError } from '../kernel/errors.ts'
import { type GitProcess, streamGitOutput } from './command.ts'
import { GitError, outOfMemoryText } from './errors.ts'
import { resolveWithinTimeout, waitingForTurnText } from './keep-alive.ts'
import { encodeBandPackets, encodePacket, flushPacket } from './pkt-line.ts'
import { repositoryExists } from './refs.ts'
import type { Repository } from './repository.ts'

/** How often a waiting client is informed; proxies close connections after a minute of silence. */
const repeat_ms = 15_000

const busyText = 'The server is too busy. Please try again later.\n'
const brokenText = 'The server could not finish the transfer. Please try again later.\n'

/** Returns the message for a client whose fetch failed; undefined if git has already sent one. */
export function fetchProblemText(error: unknown): string | undefined {
  if (error instanceof ApiError) return busyText
  if (!(error instanceof GitError)) return brokenText
  if (error.kind === 'out-of-memory') return `The transfer was ended: ${outOfMemoryText}\n`
  return error.kind === 'timeout' ? brokenText : undefined
}

/** Encodes messages in the form that the client's request allows, to send them between git's own packets. */
export class FetchMessageEncoder {
  readonly #takesBandsAlways: boolean
  readonly #position = new PacketPosition()

  /** `request` is the request as the client sent it (gitprotocol-v2, "fetch"; gitprotocol-pack). */
  constructor(request: Buffer) {
    this.#takesBandsAlways = request.includes('sideband-all')
  }

  /** Notes a piece of git's output that is sent to the client. */
  pass(output: Buffer): Buffer {
    this.#position.advance(output)
    return output
  }

  /**
   * A line of progress; empty where the client would not understand it before git has begun to answer. The carriage
   * return is for clients older than git 2.46: they remove a line feed at the end of such a packet, and show no line
   * without one.
   */
  progress(text: string): Buffer {
    if (!this.#takesBandsAlways) return Buffer.alloc(0)
    return this.pass(Buffer.concat(encodeBandPackets(2, Buffer.from(`${text}\r`))))
  }

  /** Why the answer ends here. A packet that git did not finish is filled up first. */
  failure(text: string): Buffer {
    const hasBands = this.#takesBandsAlways || this.#position.hasBegun
    const problem = hasBands
      ? encodeBandPackets(3, Buffer.from(text))
      : [encodePacket(`ERR ${text}`)]
    return Buffer.concat([this.#position.rest(), ...problem])
  }
}

/** Follows where packets begin and end in a stream (gitprotocol-common). */
class PacketPosition {
  #digits = ''
  #left_bytes = 0
  hasBegun = false

  advance(bytes: Buffer): void {
    if (bytes.length > 0) this.hasBegun = true
    for (let at = 0; at < bytes.length; ) {
      if (this.#left_bytes > 0) {
        const step = Math.min(this.#left_bytes, bytes.length - at)
        this.#left_bytes -= step
        at += step
        continue
      }
      this.#digits += String.fromCharCode(bytes[at++] as number)
      if (this.#digits.length < 4) continue
      // Flush, delimiter and response-end packets consist only of their length digits.
      this.#left_bytes = Math.max(0, Number.parseInt(this.#digits, 16) - 4) || 0
      this.#digits = ''
    }
  }

  /** Bytes that complete the packet that was begun. */
  rest(): Buffer {
    if (this.#digits === '') return Buffer.alloc(this.#left_bytes)
    const digits = Buffer.from('0'.repeat(4 - this.#digits.length))
    this.advance(digits)
    return Buffer.concat([digits, Buffer.alloc(this.#left_bytes)])
  }
}

const removedText = 'The repository was deleted while its references were read.\n'

/**
 * Passes on the output of upload-pack. A list of references ends with a flush packet. If the repository is no longer at its
 * path by then, the list may be incomplete, so an error replaces that packet (gitprotocol-pack, "error-line"); otherwise the
 * client would take the repository for an empty one.
 */
export async function* refuseIfRemoved(
  repository: Repository,
  output: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let tail = Buffer.alloc(0)
  for await (const chunk of output) {
    tail = Buffer.concat([tail, chunk.subarray(-flushPacket.length)]).subarray(-flushPacket.length)
    if (tail.equals(flushPacket) && !repositoryExists(repository)) {
      yield Buffer.concat([
        chunk.subarray(0, -flushPacket.length),
        encodePacket(`ERR ${removedText}`),
      ])
      return
    }
    yield chunk
  }
}

/**
 * Starts upload-pack and returns the stream for the client. Rejects if git cannot be started within the first second,
 * when nothing has been sent and the transport can still choose a status; after that the reason is sent in a packet.
 * `open` calls its parameter when it has to wait.
 */
export async function startFetch(
  open: (onWait: () => void) => Promise<GitProcess>,
  request: Buffer,
): Promise<AsyncGenerator<Buffer>> {
  const waits = Promise.withResolvers<void>()
  const opened = open(waits.resolve)
  opened.catch(() => {})
  await Promise.race([opened, waits.promise])
  return answerOf(opened, new FetchMessageEncoder(request))
}

async function* answerOf(
  opened: Promise<GitProcess>,
  messages: FetchMessageEncoder,
): AsyncGenerator<Buffer> {
  try {
    yield* progressWhileWaiting(opened, messages)
    const program = await opened
    for await (const chunk of streamGitOutput(program)) yield messages.pass(chunk)
    await program.exit
  } catch (error) {
    const text = fetchProblemText(error)
    if (text !== undefined) yield messages.failure(text)
  }
}

/** Yields lines of progress until the promise is settled. Never fails. */
export async function* progressWhileWaiting(
  promise: Promise<unknown>,
  messages: FetchMessageEncoder,
): AsyncGenerator<Buffer> {
  const isSettled = promise.then(
    () => true,
    () => true,
  )
  // No progress message is needed once the program is running.
  for (let wait_ms = 0; !(await resolveWithinTimeout(isSettled, wait_ms)); wait_ms = repeat_ms) {
    const line = messages.progress(waitingForTurnText)
    if (line.length > 0) yield line
  }
}
