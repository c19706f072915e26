import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { anonymous } from '../../access/actor.ts'
import { blobStoreOf, presignBlob, readBlob } from '../../blobs/blob-store.ts'
import type { Db } from '../../db/db.ts'
import { diskFullText, findFullDisk } from '../../disk/disk.ts'
import { resolveLfsBatch } from '../../features/repository/lfs/batch.ts'
import {
  findLfsObject,
  isLfsOid,
  lfsBlobPlace,
  lfsHashAlgorithm,
} from '../../features/repository/lfs/lfs.ts'
import { createLfsAuthentication } from '../../features/repository/lfs/lfs-token.ts'
import { storeLfsObject } from '../../features/repository/lfs/store-object.ts'
import {
  findQuotaExcess,
  pushOverQuotaText,
  type QuotaExcess,
} from '../../features/repository/quotas/quota.ts'
import { parseRange } from '../../http/range.ts'
import { allowSlowBody } from '../../http/server.ts'
import { ApiError } from '../../kernel/errors.ts'
import { limits } from '../../kernel/limits.ts'
import { mayDownloadCode } from '../../subjects/project.ts'
import { areLinksSignedFor, type LfsRefusalReason, recheckLfsUpload } from './access.ts'
import { type LfsRequestContext, readLfsBody, serveWithLfsAccess } from './call.ts'
import { lfsRefusals, sendLfsError, sendLfsJson } from './reply.ts'

/** `POST info/lfs/objects/batch`. */
export function serveBatch(call: LfsRequestContext): Promise<FastifyReply> {
  const { services, caller, reply, baseUrl } = call
  // Whoever may not even download has no say in what the body is.
  return serveWithLfsAccess(call, 'download', async () => {
    const { operation, objects, hash_algo = lfsHashAlgorithm } = await readLfsBody(call)
    if (operation !== 'download' && operation !== 'upload') {
      return sendLfsError(reply, lfsRefusals.operation, baseUrl)
    }
    return serveWithLfsAccess(call, operation, async ({ project }) => {
      if (hash_algo !== lfsHashAlgorithm)
        return sendLfsError(reply, lfsRefusals.hashAlgorithm, baseUrl)
      const full = operation === 'upload' ? findFullDisk(services.config) : undefined
      if (full) {
        const message = diskFullText(full, services.config)
        return sendLfsError(reply, { status: 507, message }, baseUrl)
      }
      if (!Array.isArray(objects) || objects.length === 0) {
        return sendLfsError(reply, lfsRefusals.hidden, baseUrl)
      }
      if (objects.length > limits.lfs_batch_objects) {
        return sendLfsError(reply, lfsRefusals.tooMany, baseUrl)
      }
      const { actor: holder, grant } = caller
      const end_s = grant?.end_s
      const answer = await resolveLfsBatch(services.db, {
        project,
        operation,
        objects,
        bytes_max: services.config.sizeLimits.lfs,
        baseUrl,
        authentication: areLinksSignedFor(holder)
          ? createLfsAuthentication(services, { holder, end_s, project, operation, baseUrl })
          : undefined,
        isOpen:
          mayDownloadCode({ subject: project, level: 0, actor: anonymous }) &&
          project.visibility === 'public',
        async presign(oid) {
          const href = await presignBlob(blobStoreOf(services.config), lfsBlobPlace(oid))
          return href === undefined ? undefined : { href, expires_in: limits.s3.presigned_s }
        },
      })
      return sendLfsJson(reply, 200, { transfer: 'basic', objects: answer })
    })
  })
}

/** `PUT gitlab-lfs/objects/:oid/:size`, the URL in a batch response. */
export function serveUpload(
  call: LfsRequestContext,
  [oid = '', sizeText = '']: string[],
): Promise<FastifyReply> {
  const { services, caller, request, reply, baseUrl } = call
  return serveWithLfsAccess(call, 'upload', async ({ project }) => {
    const size = /^\d{1,15}$/.test(sizeText) ? Number(sizeText) : -1
    if (!isLfsOid(oid) || size < 0 || size > services.config.sizeLimits.lfs) {
      return sendLfsError(reply.header('Connection', 'close'), lfsRefusals.object, baseUrl)
    }
    const full = findFullDisk(services.config)
    if (full) {
      const message = diskFullText(full, services.config)
      return sendLfsError(reply.header('Connection', 'close'), { status: 507, message }, baseUrl)
    }
    const excess = await findUploadExcess(services.db, project.id, { oid, size })
    if (excess) {
      const quota = { status: 413, message: pushOverQuotaText(excess) }
      return sendLfsError(reply.header('Connection', 'close'), quota, baseUrl)
    }
    allowSlowBody(request)
    const announced = request.headers['content-length']
    const isOther = announced !== undefined && Number(announced) !== size
    const stream = (request.body as Readable | null) ?? Readable.from([])
    let refusal: LfsRefusalReason | undefined
    const confirm = async () => {
      refusal = await recheckLfsUpload(services, caller, project)
      if (refusal) throw new Error(`The caller may not upload any more: ${refusal}.`)
    }
    try {
      if (!isOther && (await storeLfsObject(services, project, { oid, size, stream, confirm }))) {
        return reply.code(200).send()
      }
    } catch (error) {
      if (refusal) return sendLfsError(reply, lfsRefusals[refusal], baseUrl)
      if (error instanceof ApiError) {
        reply.header('Connection', 'close')
        throw error
      }
      if (request.raw.complete) throw error
      // The client went away, or stood still for so long that it was left; there is nobody to tell.
      request.log.debug({ err: error }, 'lfs upload aborted')
      return reply.code(400).send()
    }
    // The rest of the body is not read.
    return sendLfsError(reply.header('Connection', 'close'), lfsRefusals.otherBytes, baseUrl)
  })
}

/** Returns how far an upload would exceed the quota. An object that the project already has may be uploaded again. */
async function findUploadExcess(
  db: Db,
  project_id: number,
  { oid, size: bytes }: { oid: string; size: number },
): Promise<QuotaExcess | undefined> {
  const excess = await findQuotaExcess(db, project_id, { bytes, goesTo: 'repository' })
  return excess && !(await findLfsObject(db, { project_id, oid })) ? excess : undefined
}

/** `GET gitlab-lfs/objects/:oid`, the whole object or a range. */
export function serveDownload(
  call: LfsRequestContext,
  [oid = '']: string[],
): Promise<FastifyReply> {
  const { services, request, reply, baseUrl } = call
  return serveWithLfsAccess(call, 'download', async ({ project }) => {
    const object = isLfsOid(oid)
      ? await findLfsObject(services.db, { project_id: project.id, oid })
      : undefined
    if (!object) return sendLfsError(reply, lfsRefusals.hidden, baseUrl)
    const tag = `"${oid}"`
    const condition = request.headers['if-range']
    const range =
      condition === undefined || condition === tag
        ? parseRange(request.headers.range, object.size)
        : undefined
    reply.headers({ 'Accept-Ranges': 'bytes', ETag: tag })
    if (range === 'unsatisfiable') {
      reply.header('Content-Range', `bytes */${object.size}`)
      return reply.code(416).send()
    }
    const isHead = request.method === 'HEAD'
    const content = isHead
      ? undefined
      : await readBlob(blobStoreOf(services.config), lfsBlobPlace(oid), range)
    if (!content && !isHead) throw new Error(`The blob of LFS object ${oid} was not found.`)
    reply.headers({
      'content-type': 'application/octet-stream',
      'Content-Disposition': 'attachment',
      'content-length': range ? range.end - range.start + 1 : object.size,
    })
    if (range) {
      reply.code(206)
      reply.header('Content-Range', `bytes ${range.start}-${range.end}/${object.size}`)
    }
    return reply.send(content)
  })
}
