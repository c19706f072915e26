import { limits } from '../kernel/limits.ts'
import { type Git, type GitCommand, openGit } from './command.ts'
import { GitError } from './errors.ts'
import type { Repository } from './repository.ts'

/** Longer ones are nothing anybody wrote: a path or an address has a few thousand bytes. */
const record_bytes_max = 1024 * 1024

export type RecordCommand = GitCommand & {
  stdin?: string
  /** The byte that ends a record; a newline unless told otherwise. */
  mark?: number
  encoding?: 'utf8' | 'latin1'
  record_bytes_max?: number
  output_bytes_max?: number
}

/**
 * What git prints, record by record, those of each piece together: nothing is collected, and others get their
 * turn in between. Who stops reading ends git. Fails with GitError once git has failed, `too-large` where
 * it printed more than `limits.git_output_bytes` or a record nobody wrote.
 */
export async function* readRecords(
  git: Git,
  repository: Repository,
  command: RecordCommand,
): AsyncGenerator<string[]> {
  const { stdin, mark = 10, encoding = 'utf8' } = command
  const output_bytes_max = command.output_bytes_max ?? limits.git_output_bytes
  const { io, exit, kill } = await openGit(git, repository, command)
  const separator = String.fromCharCode(mark)
  let bytes = 0
  let open: Buffer[] = []
  let open_bytes = 0
  let hasEnded = false
  try {
    if (stdin === undefined) io.end()
    else io.end(stdin)
    for await (const chunk of io as AsyncIterable<Buffer>) {
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
      const isTooLong = open_bytes > (command.record_bytes_max ?? record_bytes_max)
      if (isTooLong || bytes > output_bytes_max) {
        throw new GitError('too-large', 'git printed more than its limit.')
      }
    }
    hasEnded = true
    await exit
    if (open.length > 0) yield [Buffer.concat(open).toString(encoding)]
  } finally {
    if (!hasEnded) kill()
    io.destroy()
  }
}
