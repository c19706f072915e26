import { limits } from '../kernel/limits.ts'
import { markWorkResumed } from '../kernel/work-attribution.ts'
import { type Git, type GitCommand, spawnGit } from './command.ts'
import { GitError } from './errors.ts'
import type { Repository } from './repository.ts'

/** Longer ones are nothing anybody wrote: a path or an address has a few thousand bytes. */
const record_bytes_max = 1024 * 1024

export type GitRecordFormat = {
  /** The byte that ends a record; a newline unless told otherwise. */
  mark?: number
  encoding?: 'utf8' | 'latin1'
  record_bytes_max?: number
  output_bytes_max?: number
}

export type GitRecordCommand = GitCommand & GitRecordFormat & { stdin?: string }

/**
 * Splits the output of git into records, and yields those of each chunk together. A record is joined once, however many
 * chunks it came in. Throws GitError `too-large` for more than `limits.git_output_bytes`.
 */
export async function* splitGitRecords(
  output: AsyncIterable<Buffer>,
  format: GitRecordFormat = {},
): AsyncGenerator<string[]> {
  const { mark = 10, encoding = 'utf8', output_bytes_max = limits.git_output_bytes } = format
  const separator = String.fromCharCode(mark)
  let bytes = 0
  let open: Buffer[] = []
  let open_bytes = 0
  for await (const chunk of output) {
    markWorkResumed()
    bytes += chunk.length
    const end = chunk.lastIndexOf(mark) + 1
    if (end > 0) {
      const last = chunk.subarray(0, end - 1)
      yield Buffer.concat([...open, last])
        .toString(encoding)
        .split(separator)
      open = []
      open_bytes = 0
    }
    if (end < chunk.length) open.push(chunk.subarray(end))
    open_bytes += chunk.length - end
    const isTooLong = open_bytes > (format.record_bytes_max ?? record_bytes_max)
    if (isTooLong || bytes > output_bytes_max) {
      throw new GitError('too-large', 'git printed more than its limit.')
    }
  }
  if (open.length > 0) yield [Buffer.concat(open).toString(encoding)]
}

/**
 * Streams the output of git record by record; other work gets turns in between. If the reader stops, git is stopped.
 * Throws as `splitGitRecords` does, and GitError if git fails.
 */
export async function* readGitRecords(
  git: Git,
  repository: Repository,
  command: GitRecordCommand,
): AsyncGenerator<string[]> {
  const { io, exit, kill } = await spawnGit(git, repository, command)
  let hasEnded = false
  try {
    // After git has ended, even an empty write fails, and discards the output that was not read yet.
    if (command.stdin === undefined) io.end()
    else io.end(command.stdin)
    yield* splitGitRecords(io as AsyncIterable<Buffer>, command)
    hasEnded = true
    await exit
  } finally {
    if (!hasEnded) kill()
    io.destroy()
  }
}
