import { matchesWildcard } from '../kernel/wildcard.ts'
import type { ExitReport } from './spawn-helper.ts'
import { argumentsTooLongText, helperEndedText, noHelperText } from './spawner.ts'

export type GitErrorKind =
  | 'missing-revision'
  | 'missing-path'
  | 'ref-moved'
  | 'ref-conflict'
  | 'locked'
  | 'too-large'
  | 'out-of-memory'
  | 'timeout'
  | 'not-running'
  | 'failed'

/** A failure of git. The message is static; `stderr` is the output of git, for the log. */
export class GitError extends Error {
  readonly kind: GitErrorKind
  readonly stderr: string

  constructor(kind: GitErrorKind, message: string, stderr = '') {
    super(message)
    this.name = 'GitError'
    this.kind = kind
    this.stderr = stderr
  }
}

/**
 * The kinds of errors by lines of git's output, in which `*` stands for any text. The first kind with a matching line
 * wins.
 */
const patterns: [GitErrorKind, string[]][] = [
  [
    'ref-moved',
    ['is at * but expected', 'reference already exists', 'unable to resolve reference'],
  ],
  // git removes an empty folder. A folder that is not empty contains only a lock file.
  [
    'locked',
    [
      "Unable to create *.lock': File exists",
      'cannot lock ref *File exists',
      'non-empty directory * blocking reference',
    ],
  ],
  ['ref-conflict', ['exists; cannot create', 'cannot process * and * at the same time']],
  [
    'missing-revision',
    ['bad revision', 'unknown revision', 'Not a valid object name', 'bad object'],
  ],
  ['missing-path', ['no such path', 'does not exist in']],
  ['too-large', ['exceeds maximum allowed size', argumentsTooLongText]],
  ['not-running', [helperEndedText, noHelperText]],
]

/** The message for a request that was stopped for lack of memory. */
export const outOfMemoryText = 'the server is short of memory. Please try again later.'

/** Classifies a failed run by its exit status and stderr. No other code does this. */
export function gitErrorOf(command: string, report: ExitReport): GitError {
  const stderr = report.failure ?? report.stderr
  if (report.ending === 'timeout') {
    return new GitError('timeout', `git ${command} took too long.`, stderr)
  }
  if (report.ending === 'memory') {
    return new GitError('too-large', `git ${command} took too much memory.`, stderr)
  }
  if (report.ending === 'machine') {
    return new GitError('out-of-memory', `git ${command} was ended: ${outOfMemoryText}`, stderr)
  }
  const lines = stderr.split('\n')
  const isTold = (pattern: string) => lines.some((line) => matchesWildcard(`*${pattern}*`, line))
  const kind = patterns.find(([, told]) => told.some(isTold))?.[0] ?? 'failed'
  return new GitError(kind, `git ${command} failed.`, stderr)
}
