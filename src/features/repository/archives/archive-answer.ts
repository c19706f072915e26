// The response with an archive, for all addresses of archives.
import type { Readable } from 'node:stream'
import type { ArchiveFormat } from '../../../git/archive-reader.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Repository } from '../../../git/repository.ts'
import { Answer } from '../../../http/answer.ts'
import { contentDisposition } from '../../../http/disposition.ts'
import type { RequestFacts } from '../../../http/endpoint.ts'
import type { RateLimiter } from '../../../http/rate-limit.ts'
import { ApiError, tooManyRequests } from '../../../kernel/errors.ts'
import type { ResolvedArchive } from './archive.ts'

const tooManyText = 'This archive has been requested too many times. Try again later.'

/** Counts a request of `who` for an archive of the project. Throws 429 above the limit. */
export function enforceArchiveRateLimit(
  rateLimiter: RateLimiter,
  projectId: number,
  who: string,
): void {
  const verdict = rateLimiter.count('project_repositories_archive', `${projectId}:${who}`)
  if (verdict) throw tooManyRequests(tooManyText, verdict.headers)
}

/**
 * Returns the bytes of the archive; for HEAD, none are created. Throws 406 for a format whose program is not installed on
 * this machine.
 */
export async function createArchiveAnswer(
  git: GitAccess,
  repository: Repository,
  {
    commit,
    path,
    name,
    format,
    request: { method, signal },
  }: ResolvedArchive & { format: ArchiveFormat; request: Pick<RequestFacts, 'method' | 'signal'> },
): Promise<Answer> {
  if (!git.archives.canMake(format)) {
    throw new ApiError('not-acceptable', `406 Not Acceptable - ${format} needs bzip2 on the server`)
  }
  const headers = {
    'content-type': 'application/octet-stream',
    'Content-Disposition': contentDisposition('attachment', `${name}.${format}`),
    'Cache-Control': 'max-age=0, private, must-revalidate',
  }
  if (method === 'HEAD') return Answer.raw(undefined, headers)
  const archive: Readable = await git.archives.open(repository, {
    ...{ commit, format, folder: name, path, signal },
  })
  return Answer.raw(archive, headers)
}
