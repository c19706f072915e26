// Reads the blobs of a push from its quarantine. Only a few pushes need this; each read is a process.
import { type Git, runGit } from './command.ts'
import { GitError } from './errors.ts'
import { type Oid, parseGitOid } from './names.ts'
import type { Quarantine } from './quarantine.ts'
import { readGitRecords } from './records.ts'
import type { Repository } from './repository.ts'

const look_ms_max = 30 * 60_000

/** Lists the quarantined blobs of `bytes_min` to `bytes_max` bytes, whether or not they are reachable. */
export async function listPushedBlobs(
  git: Git,
  repository: Repository,
  request: { quarantine: Quarantine; bytes_min: number; bytes_max: number },
): Promise<Oid[]> {
  const { quarantine, bytes_min, bytes_max } = request
  const pieces = readGitRecords(git, repository, {
    args: [
      'cat-file',
      '--batch-all-objects',
      '--unordered',
      '--buffer',
      '--batch-check=%(objecttype) %(objectsize) %(objectname)',
    ],
    // Without the objects of the repository: the pack was completed when it was received.
    env: { GIT_OBJECT_DIRECTORY: quarantine.path },
    timeout_ms: look_ms_max,
    output_bytes_max: Number.POSITIVE_INFINITY,
  })
  const found: Oid[] = []
  for await (const lines of pieces) {
    for (const line of lines) {
      const [type, size = '', oid = ''] = line.split(' ')
      if (type === 'blob' && Number(size) >= bytes_min && Number(size) <= bytes_max) {
        found.push(parseGitOid(oid))
      }
    }
  }
  return found
}

/** Returns the contents of these objects, in order. Together they must fit into memory. */
export async function readPushedBlobs(
  git: Git,
  repository: Repository,
  { quarantine, oids }: { quarantine: Quarantine; oids: readonly Oid[] },
): Promise<Buffer[]> {
  if (oids.length === 0) return []
  const output = await runGit(git, repository, {
    args: ['cat-file', '--batch', '--buffer'],
    env: quarantine.env,
    stdin: `${oids.join('\n')}\n`,
    timeout_ms: look_ms_max,
  })
  const contents: Buffer[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at)
    const size = Number(output.toString('latin1', at, end).split(' ')[2])
    contents.push(output.subarray(end + 1, end + 1 + size))
    at = end + 1 + size + 1
  }
  if (contents.length !== oids.length)
    throw new GitError('failed', 'git cat-file: pushed blobs not found.')
  return contents
}
