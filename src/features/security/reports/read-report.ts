// Reads stored reports of scanners: unpacked and parsed as a stream, so that little of one is in memory
// (docs/api/dependencies.md, "Reports").
import type { Readable } from 'node:stream'
import type { BlobSettings } from '../../../blobs/blob-store.ts'
import { JsonReader, type JsonShape } from '../../../http/json-reader.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { isRecord } from '../../../kernel/record.ts'
import { markWorkResumed } from '../../../kernel/work-attribution.ts'
import {
  isArtifactUnpackingError,
  openUnpackedArtifact,
} from '../../delivery/artifacts/open-artifact.ts'

/** A report cannot be read; the message tells its author why. */
export class UnreadableReportError extends Error {}

export type JsonReportShape = Pick<JsonShape, 'membersOf' | 'only'> & {
  /** Called after each chunk, to process the values read so far before more is read. */
  settle?: () => Promise<void>
}

/**
 * Parses the JSON of a report that arrives in chunks, without the members that `shape.membersOf` handles. Throws
 * UnreadableReportError if it is not a JSON object or exceeds the limits. Errors of handlers are rethrown.
 */
export async function readJsonReport(
  stream: AsyncIterable<Buffer>,
  { settle, ...shape }: JsonReportShape,
): Promise<Record<string, unknown>> {
  const { depth_max, members_max, values_max } = limits.reports
  const reader = new JsonReader({ ...shape, depth_max, members_max, values_max })
  let value: unknown
  try {
    for await (const chunk of stream) {
      markWorkResumed()
      reader.write(chunk)
      await settle?.()
    }
    value = reader.end()
  } catch (error) {
    throw reasonOf(error)
  }
  if (!isRecord(value)) throw new UnreadableReportError('Invalid report format')
  return value
}

/** Streams the uncompressed bytes of a report artifact. Destroy the stream if you do not read all of it. */
export async function openReport(
  config: BlobSettings,
  artifact: { blob: string; file_format: string },
): Promise<Readable> {
  const { bytes_max } = limits.reports
  const tooLarge = () => new UnreadableReportError('The report is too large')
  const stream = await openUnpackedArtifact(config, artifact, { bytes_max, tooLarge })
  if (!stream) throw new UnreadableReportError('The report is gone')
  return stream
}

function reasonOf(error: unknown): unknown {
  if (error instanceof ApiError) return new UnreadableReportError('JSON parsing failed')
  return isArtifactUnpackingError(error)
    ? new UnreadableReportError('The report cannot be unpacked')
    : error
}
