import { Answer } from '../../../http/answer.ts'
import { isMatchingEtag } from '../../../http/conditional.ts'
import type { Instance, RequestFacts } from '../../../http/endpoint.ts'
import { parseRange } from '../../../http/range.ts'
import type { Job } from '../pipeline-changes/job.ts'
import { readJobLog } from './job-log.ts'

type Log = Pick<Job, 'id' | 'log_bytes' | 'erased_at'>

/** Returns a strong ETag. A log is only appended to or erased, so a log with the same length has the same bytes. */
export function jobLogEtag({ id, erased_at, log_bytes }: Log): string {
  return `"${id}-${erased_at === null ? 'log' : 'erased'}-${log_bytes}"`
}

/** Returns a 200, 206 or 304; or 416 with the length of the log if the range is beyond its end. */
export async function serveJobLog(
  { db, config, request: { headers } }: Pick<Instance, 'db' | 'config'> & { request: RequestFacts },
  job: Job,
): Promise<Answer> {
  const tag = jobLogEtag(job)
  if (isMatchingEtag(headers['if-none-match'], tag)) return Answer.empty(304, { etag: tag })
  const { range: asked, 'if-range': state } = headers
  // With `If-Range`, a part is only sent if the log is unchanged. A browser would otherwise join parts of
  // different logs.
  const isMeant = state === undefined || state === tag
  const size = Number(job.log_bytes)
  const range = isMeant && typeof asked === 'string' ? parseRange(asked, size) : undefined
  if (range === 'unsatisfiable') {
    return Answer.empty(416, { 'content-range': `bytes */${size}`, etag: tag })
  }
  const body = await readJobLog({ db, config }, job, range)
  // Browsers download a response with an unknown disposition, so requests of browsers get `inline` and show
  // the log.
  const isForPeople = String(headers.accept ?? '').includes('text/html')
  const described = {
    'content-type': isForPeople ? 'text/plain; charset=utf-8' : 'text/plain',
    'content-disposition': `${isForPeople ? 'inline' : 'infile'}; filename="${job.id}.log"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag: tag,
  }
  if (!range) return Answer.raw(body, described)
  const contentRange = `bytes ${range.start}-${range.end}/${size}`
  return Answer.raw(body, { ...described, 'content-range': contentRange }, 206)
}
