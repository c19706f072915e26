// Public functions of uploads: finds an upload and serves its bytes.
import { Readable } from 'node:stream'
import type { Selectable } from 'kysely'
import { ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, readBlob } from '../../../blobs/blob-store.ts'
import type { Config } from '../../../config.ts'
import type { Db, UploadTable } from '../../../db/db.ts'
import { Answer } from '../../../http/answer.ts'
import { contentDisposition } from '../../../http/disposition.ts'
import type { RequestFacts } from '../../../http/endpoint.ts'
import { parseRange } from '../../../http/range.ts'
import { inlineContentType } from './upload-name.ts'

type Upload = Selectable<UploadTable>

/** Returns an upload of the project by its id, or by the secret and file name of its URL. */
export function findUpload(
  db: Db,
  project_id: number,
  by: { id: number } | { secret: string; file_name: string },
): Promise<Upload | undefined> {
  const query = db.selectFrom('uploads').selectAll().where('project_id', '=', project_id)
  const found =
    'id' in by
      ? query.where('id', '=', by.id)
      : query.where('secret', '=', by.secret).where('file_name', '=', by.file_name)
  return found.executeTakeFirst()
}

/**
 * Returns the bytes of a file or a range of them. Only images and videos are shown inline, since any user can upload files
 * (docs/api/uploads.md, "Addresses").
 */
export async function createUploadAnswer(
  config: Config,
  { file_name, size: bytes, blob }: Upload,
  { method, headers: { range: asked } }: Pick<RequestFacts, 'method' | 'headers'>,
): Promise<Answer> {
  const type = inlineContentType(file_name)
  const size = Number(bytes)
  const headers = {
    'content-type': type ?? 'application/octet-stream',
    'Content-Disposition': contentDisposition(type ? 'inline' : 'attachment', file_name),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'private, must-revalidate, max-age=0',
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
  }
  const range = parseRange(typeof asked === 'string' ? asked : undefined, size)
  if (range === 'unsatisfiable') {
    return Answer.raw(Buffer.alloc(0), { ...headers, 'content-range': `bytes */${size}` }, 416)
  }
  const status = range ? 206 : 200
  const length = range ? range.end - range.start + 1 : size
  const sent = {
    ...headers,
    'content-length': String(length),
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
  }
  // The body is an empty stream. Without a stream Fastify would send `content-length: 0`.
  if (method === 'HEAD') return Answer.raw(Readable.from([]), sent, status)
  const stream = await readBlob(blobStoreOf(config), ownBlobPlace('uploads', blob), range)
  if (!stream) throw new Error(`The blob ${blob} of an upload was not found.`)
  return Answer.raw(stream, sent, status)
}
