// Reports of scanners as they are stored: unpacked and read piece by piece, so that little of one is in memory
// whatever its size (docs/api/dependencies.md, "Reports").
import { pipeline, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { blobStoreOf, ownPlace, readBlob } from '../../../blobs/blob-store.ts'
import { JsonReader, type JsonShape } from '../../../http/json-reader.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { resumeWork } from '../../../kernel/holder.ts'
import { limits } from '../../../kernel/limits.ts'

/** A report that cannot be read; its message says why, in words for its author. */
export class ReportError extends Error {}

export type ReportShape = Pick<JsonShape, 'membersOf' | 'only'> & {
  /** What is done with what was handed over, before more is read. */
  settle?: () => Promise<void>
}

/**
 * The JSON of a report that comes in pieces, but for what `shape.membersOf` was handed. Throws ReportError for what
 * is no JSON object, or holds more than reports may. What a handler throws is thrown.
 */
export async function readReport(
  stream: AsyncIterable<Buffer>,
  { settle, ...shape }: ReportShape,
): Promise<Record<string, unknown>> {
  const { depth_max, members_max, values_max } = limits.reports
  const reader = new JsonReader({ ...shape, depth_max, members_max, values_max })
  let value: unknown
  try {
    for await (const chunk of stream) {
      resumeWork()
      reader.write(chunk)
      await settle?.()
    }
    value = reader.end()
  } catch (error) {
    throw reasonOf(error)
  }
  if (!isRecord(value)) throw new ReportError('Invalid report format')
  return value
}

/** The plain bytes of a report that is an artifact; end the stream if you do not read all of it. */
export async function openReport(
  config: { readonly data: string },
  { blob, file_format }: { blob: string; file_format: string },
): Promise<Readable> {
  const file = await readBlob(blobStoreOf(config), ownPlace('artifacts', blob))
  if (!file) throw new ReportError('The report is gone')
  const bounded = atMost(limits.reports.bytes_max)
  // A reader that gave up ends the whole chain; whoever reads is told of what goes wrong in it.
  return file_format === 'gzip'
    ? pipeline(file, createGunzip(), bounded, () => {})
    : pipeline(file, bounded, () => {})
}

/** What may be looked into as an object of a report. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function reasonOf(error: unknown): unknown {
  if (error instanceof ApiError) return new ReportError('JSON parsing failed')
  const isBroken = (error as NodeJS.ErrnoException).code?.startsWith('Z_')
  return isBroken ? new ReportError('The report cannot be unpacked') : error
}

function atMost(bytes_max: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytes_max) done(new ReportError('The report is too large'))
      else done(null, chunk)
    },
  })
}
