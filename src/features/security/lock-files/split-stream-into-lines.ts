import { splitGitRecords } from '../../../git/records.ts'

/** A file with a longer line is not a lock file. */
const line_bytes_max = 64 * 1024
/** Longer lines are skipped: they contain hashes or generated text. */
const line_characters_max = 2000

/** Yields the lines of a file that arrives in chunks, without line ends. */
export async function* splitStreamIntoLines(
  content: AsyncIterable<Buffer>,
): AsyncGenerator<string> {
  for await (const lines of splitGitRecords(content, { record_bytes_max: line_bytes_max })) {
    for (const line of lines) {
      if (line.length <= line_characters_max) yield line.endsWith('\r') ? line.slice(0, -1) : line
    }
  }
}
