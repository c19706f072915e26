// Checks an archive before it is stored, and refuses one that would unpack to too much.
import { findCentralDirectory, listZipEntries, ZipError, type ZipFile } from '../../../blobs/zip.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'

/**
 * Throws 413 for a zip with too many files, with files that share their bytes, or whose unpacked size is above the limit. A
 * file that is not a zip is stored without checks, since it is never unpacked.
 */
export async function checkArchiveLimits(
  zip: ZipFile,
  { bytes_max }: { bytes_max: number },
): Promise<void> {
  const { entries_max, unpacked_times_max } = limits.artifacts
  let [files, packed_bytes, bytes] = [0, 0, 0]
  try {
    const directory = await findCentralDirectory(zip)
    if (directory.entries > entries_max) throw tooMuch()
    for await (const entries of listZipEntries(zip, directory)) {
      files += entries.length
      for (const entry of entries) {
        packed_bytes += entry.compressed_size
        bytes += entry.size
      }
      const isTooMuch = bytes > bytes_max * unpacked_times_max
      if (files > entries_max || packed_bytes > zip.size || isTooMuch) throw tooMuch()
    }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
  }
}

function tooMuch(): ApiError {
  return new ApiError('too-large', 'archive holds more than it may')
}
