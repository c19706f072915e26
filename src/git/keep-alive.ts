import { Readable } from 'node:stream'
import { bandPackets, flushPacket } from './pkt-line.ts'

/** An empty packet on side band 1: clients read past it (git-config: receive.keepAlive). */
const aliveMark = Buffer.from('0005\x01')
export const brokenText = 'The server failed to handle the push; what came of it is not known.\n'

/**
 * The report of a push, or, where that takes longer than `every_ms` after the whole request has come, a
 * stream that says so at that interval until the report is there. Only a report that is in time can
 * still fail with a status of its own.
 */
export async function keepAlive(
  report: Promise<Buffer>,
  { after, every_ms }: { after: Promise<unknown>; every_ms: number },
): Promise<Buffer | Readable> {
  const first = await Promise.race([report, after])
  if (Buffer.isBuffer(first)) return first
  const inTime = await withinTime(report, every_ms)
  return inTime ?? Readable.from(untilReported(report, every_ms), { objectMode: false })
}

async function* untilReported(report: Promise<Buffer>, every_ms: number): AsyncGenerator<Buffer> {
  for (;;) {
    yield aliveMark
    try {
      const bytes = await withinTime(report, every_ms)
      if (!bytes) continue
      yield bytes
    } catch {
      // Logged by whoever made the report; the status has been sent already.
      yield Buffer.concat([...bandPackets(3, Buffer.from(brokenText)), flushPacket])
    }
    return
  }
}

async function withinTime(report: Promise<Buffer>, limit_ms: number): Promise<Buffer | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limit_ms)
  })
  try {
    return await Promise.race([report, late])
  } finally {
    clearTimeout(timer)
  }
}
