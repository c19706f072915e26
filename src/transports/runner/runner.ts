// Requests of runners with raw bytes: the log of a job, and its artifacts (docs/api/runners.md). They are authenticated
// by the job's token, and no body is in memory as a whole.

import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseIfDiskFull } from '../../disk/disk.ts'
import { findReadableJobArchives } from '../../features/delivery/artifacts/find-readable-job-archives.ts'
import {
  openJobArchive,
  presignJobArchiveUrl,
} from '../../features/delivery/artifacts/open-archive.ts'
import { storeArtifact } from '../../features/delivery/artifacts/store-artifact.ts'
import { appendJobLog, failJobForLogSize } from '../../features/delivery/jobs/append-log.ts'
import { authenticateJobToken } from '../../features/delivery/jobs/job-token.ts'
import {
  authenticateRunningJob,
  jobStatusHeaders,
} from '../../features/delivery/jobs/running-job.ts'
import { fileHeadersWithAliases } from '../../http/brand.ts'
import { contentDisposition } from '../../http/disposition.ts'
import type { Instance } from '../../http/endpoint.ts'
import type { RawParameters } from '../../http/parameters.ts'
import { parseForm, queryStringOf, readBody } from '../../http/raw-parameters.ts'
import { redirectLocationOf } from '../../http/redirect.ts'
import { allowSlowBody } from '../../http/server.ts'
import { ApiError, badParameters, forbidden, notFound, unauthorized } from '../../kernel/errors.ts'
import { limits } from '../../kernel/limits.ts'
import { ownValue } from '../../kernel/own-value.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>

/** Seconds after which a runner sends what it has of a log. */
const update_interval_s = 3

/** Serves the endpoints below `/jobs/:id` whose bodies are bytes, on an app whose prefix is `/api/v4`. */
export function mountRunner(api: FastifyInstance, uses: Uses): void {
  api.patch('/jobs/:id/trace', (request, reply) => receiveLog(uses, request, reply))
  api.post('/jobs/:id/artifacts/authorize', async (_request, reply) => reply.send({}))
  api.get('/jobs/:id/artifacts', (request, reply) => sendArchive(uses, request, reply))
  api.post('/jobs/:id/artifacts', (request, reply) => receiveArtifact(uses, request, reply))
}

/** The token of the job: a header, or a parameter as older runners have it. */
function tokenOf(request: FastifyRequest, query: RawParameters): string | undefined {
  const header = request.headers['job-token']
  const given = typeof header === 'string' ? header : (query.job_token ?? query.token)
  return typeof given === 'string' ? given : undefined
}

function idOf(request: FastifyRequest): number {
  const { id } = request.params as { id: string }
  if (!/^\d{1,15}$/.test(id)) throw badParameters(['id is invalid'])
  return Number(id)
}

async function receiveLog(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = parseForm(queryStringOf(request.raw.url ?? ''))
  const job = await authenticateRunningJob(uses, {
    id: idOf(request),
    token: tokenOf(request, query),
  })
  const range = /^(\d{1,15})-(\d{1,15})?/.exec(request.headers['content-range'] ?? '')
  if (!range) throw new ApiError('invalid', '400 Missing header Content-Range')
  const stream = request.body as Readable | undefined
  const bytes = stream ? await readBody(stream, limits.pipelines.log_part_bytes) : Buffer.alloc(0)
  if (Number(job.log_bytes) + bytes.length > limits.pipelines.log_bytes) {
    await failJobForLogSize(uses, job)
    throw forbidden('log is larger than its limit')
  }
  const start = Number(range[1])
  const isDebug = query.debug_trace === 'true'
  const { isWhole, log_bytes, status } = await appendJobLog(uses, job, { start, bytes, isDebug })
  reply.headers({ ...jobStatusHeaders({ status }), Range: `0-${log_bytes}` })
  if (!isWhole) return reply.code(416).type('text/plain').send('416 Range Not Satisfiable')
  reply.headers(fileHeadersWithAliases({ 'Trace-Update-Interval': String(update_interval_s) }))
  return reply.code(202).type('text/plain').send(`0-${log_bytes}`)
}

async function receiveArtifact(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = parseForm(queryStringOf(request.raw.url ?? ''))
  const job = await authenticateRunningJob(uses, {
    id: idOf(request),
    token: tokenOf(request, query),
  })
  refuseIfDiskFull(uses.config)
  allowSlowBody(request)
  const text = (name: string) => {
    const value = ownValue(query, name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const { filename, stream } = await findFile(request)
  await storeArtifact(uses, {
    job,
    file_type: text('artifact_type') ?? 'archive',
    file_format: text('artifact_format') ?? 'zip',
    filename,
    expire_in: text('expire_in'),
    stream,
  })
  return reply.code(201).type('application/json').send('201')
}

/** Sends the artifacts of a job to a job that depends on it, authenticated by the token of the latter. */
async function sendArchive(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = parseForm(queryStringOf(request.raw.url ?? ''))
  const token = tokenOf(request, query)
  if (token === undefined) throw unauthorized()
  const actor = await authenticateJobToken(uses, token)
  const job_id = idOf(request)
  const archive = (await findReadableJobArchives(uses.db, actor, [job_id])).get(job_id)
  if (!archive) throw notFound()
  const isDirect = query.direct_download === 'true'
  const elsewhere = isDirect ? await presignJobArchiveUrl(uses.config, archive) : undefined
  if (elsewhere !== undefined) return reply.redirect(redirectLocationOf({ elsewhere }), 302)
  const stream = await openJobArchive(uses.config, archive)
  return reply
    .headers({
      'content-type': 'application/octet-stream',
      'content-length': Number(archive.size),
      'content-disposition': contentDisposition('attachment', archive.filename),
    })
    .send(stream)
}

/** The one file of a multipart form, while it still comes in. */
function findFile(request: FastifyRequest): Promise<{ filename: string; stream: Readable }> {
  const type = request.headers['content-type'] ?? ''
  const body = request.body as Readable | undefined
  if (!body || !type.startsWith('multipart/form-data')) throw badParameters(['file is missing'])
  return new Promise((resolve, reject) => {
    let form: InstanceType<typeof Busboy>
    try {
      form = new Busboy({
        headers: { 'content-type': type },
        limits: { files: 1, fields: 10, fieldSize: 1024, parts: 12, headerPairs: 20 },
      })
    } catch {
      return reject(badParameters(['file is missing']))
    }
    form.on('file', (name: string, stream: Readable, filename: string) => {
      if (name !== 'file') return void stream.resume()
      // A connection that breaks ends the file in the middle; it must not count as whole.
      body.once('close', () => {
        if (!request.raw.complete)
          stream.destroy(new Error('The connection closed before the upload was complete.'))
      })
      resolve({ filename: filename || 'artifacts.zip', stream })
    })
    form.on('error', () => reject(badParameters(['file is invalid'])))
    form.on('finish', () => reject(badParameters(['file is missing'])))
    body.on('error', reject)
    body.pipe(form)
  })
}
