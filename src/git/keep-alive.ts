import { Readable } from 'node:stream'
import { encodeBandPackets, flushPacket } from './pkt-line.ts'

/** An empty packet on side band 1, which clients skip (git-config: receive.keepAlive). */
const aliveMark = Buffer.from('0005\x01')
/** The message for a client whose transfer waits for its turn or for memory. */
export const waitingForTurnText =
  'The server is busy with other large transfers. Yours starts as soon as there is room.\n'
export const pushFailedText =
  'The server failed to handle the push; what came of it is not known.\n'

/**
 * Returns the report of a push, or a stream that sends keep-alives until the report is ready, if that takes longer than
 * `every_ms` after the whole request arrived. When `waits` resolves, the push has to wait for others, and the stream
 * begins by telling the client so. Only a report that is returned directly can still fail with its own HTTP status.
 */
export async function streamKeepAlivesUntil(
  report: Promise<Buffer>,
  {
    after,
    waits = new Promise(() => {}),
    every_ms,
  }: { after: Promise<unknown>; waits?: Promise<void>; every_ms: number },
): Promise<Buffer | Readable> {
  const waiting = waits.then(() =>
    Buffer.concat(encodeBandPackets(2, Buffer.from(waitingForTurnText))),
  )
  const arrived = after.then(() => undefined)
  const first = await Promise.race([report, arrived, waiting.then((notice) => ({ notice }))])
  if (Buffer.isBuffer(first)) return first
  const inTime = first ? undefined : await resolveWithinTimeout(report, every_ms)
  const notice = first?.notice ?? Buffer.alloc(0)
  return inTime ?? Readable.from(untilReported(report, every_ms, notice), { objectMode: false })
}

async function* untilReported(
  report: Promise<Buffer>,
  every_ms: number,
  notice: Buffer,
): AsyncGenerator<Buffer> {
  if (notice.length > 0) yield notice
  for (;;) {
    yield aliveMark
    try {
      const bytes = await resolveWithinTimeout(report, every_ms)
      if (!bytes) continue
      yield bytes
    } catch {
      // The author of the report has logged it. The HTTP status has already been sent.
      yield Buffer.concat([...encodeBandPackets(3, Buffer.from(pushFailedText)), flushPacket])
    }
    return
  }
}

/** Resolves to the value of the promise, or to undefined after `limit_ms`. */
export async function resolveWithinTimeout<T>(
  promise: Promise<T>,
  limit_ms: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limit_ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
