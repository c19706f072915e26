import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Rule } from '../../../access/rule.ts'
import { blobStoreOf, receiveBlob } from '../../../blobs/blob-store.ts'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { file, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { notFound, tooLarge } from '../../../kernel/errors.ts'
import { randomHex } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { adminProject, aProject, type Project, readProject } from '../../../subjects/project.ts'
import { readSetting } from '../../basics/settings/setting.ts'
import { claimOwnBlob, placeOwnBlob, releaseOwnBlob } from '../../delivery/pipelines/own-blob.ts'
import { NewUploadJson, presentNewUpload, presentUpload, UploadJson } from './upload.present.ts'
import { deleteUpload, insertUpload, listUploads } from './upload.store.ts'
import { answerUpload, findUpload } from './upload.ts'
import { uploadName } from './upload-name.ts'

const mebibyte = 1024 * 1024
const endpoint = endpointsWith({ tag: 'Uploads', on: aProject })

/** Whoever sees a project may add to what is written in it. */
const addUploads: Rule<Project> = ({ actor }) => actor.user !== undefined

const byId = '/projects/:id/uploads/:upload_id(^\\d+$)' as const
const idInput = Type.Object({ upload_id: Type.Integer() })
const byAddress = '/projects/:id/uploads/:secret(^[0-9a-f]{32}$)/:filename' as const
const addressInput = Type.Object({ secret: Type.String(), filename: Type.String() })

async function getUpload(
  { db, subject: project }: Pick<Context<Project, unknown>, 'db' | 'subject'>,
  by: Parameters<typeof findUpload>[2],
) {
  const upload = await findUpload(db, project.id, by)
  if (!upload) throw notFound()
  return upload
}

async function remove(
  { db, clock }: Context<Project, unknown>,
  upload: { id: number },
): Promise<void> {
  const removed = await deleteUpload(db, upload.id)
  if (!removed) throw notFound()
  await releaseOwnBlob(db, clock, { kind: 'uploads', name: removed.blob })
}

export const uploadEndpoints = [
  endpoint({
    route: 'POST /projects/:id/uploads',
    summary: 'Upload a file to refer to from what is written in a project',
    signIn: 'always',
    allow: addUploads,
    transaction: 'none',
    body_bytes_max: limits.content_body_bytes,
    input: Type.Object({ file: file() }),
    status: 201,
    answer: NewUploadJson,
    async run({ db, clock, config, subject: project, user, input }) {
      const { filename, content } = input.file
      const bytes_max = (await readSetting(db, 'max_attachment_size')) * mebibyte
      if (content.length > bytes_max) throw tooLarge()
      const received = await receiveBlob(blobStoreOf(config), Readable.from([content]), {
        bytes_max,
      })
      const blob = await placeOwnBlob({ db, clock, config }, received, 'uploads')
      const address = { secret: randomHex(32), file_name: uploadName(filename) }
      await db.transaction().execute(async (tx) => {
        await insertUpload(tx, {
          project_id: project.id,
          uploaded_by_id: user.id,
          ...address,
          size: content.length,
          blob,
          created_at: timestamp(clock),
        })
        await claimOwnBlob(tx, blob)
      })
      return presentNewUpload(project, address)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/uploads',
    summary: 'List the files uploaded to a project',
    signIn: 'always',
    allow: adminProject,
    input: Type.Object(pageInput),
    answer: Type.Array(UploadJson),
    async run({ db, subject: project, range }) {
      const { rows, total } = await listUploads(db, project.id, range)
      return new Page({ items: rows.map(presentUpload), total })
    },
  }),

  endpoint({
    route: `GET ${byId}`,
    summary: 'Get an uploaded file by its id',
    signIn: 'always',
    allow: adminProject,
    input: idInput,
    answer: Type.Unknown(),
    async run(context) {
      const upload = await getUpload(context, { id: context.input.upload_id })
      return answerUpload(context.config, upload, context.request)
    },
  }),

  endpoint({
    route: `GET ${byAddress}`,
    summary: 'Get an uploaded file by its address',
    allow: readProject,
    input: addressInput,
    answer: Type.Unknown(),
    async run(context) {
      const { secret, filename: file_name } = context.input
      const upload = await getUpload(context, { secret, file_name })
      return answerUpload(context.config, upload, context.request)
    },
  }),

  endpoint({
    route: `DELETE ${byId}`,
    summary: 'Remove an uploaded file by its id',
    allow: adminProject,
    input: idInput,
    status: 204,
    async run(context) {
      await remove(context, await getUpload(context, { id: context.input.upload_id }))
    },
  }),

  endpoint({
    route: `DELETE ${byAddress}`,
    summary: 'Remove an uploaded file by its address',
    allow: adminProject,
    input: addressInput,
    status: 204,
    async run(context) {
      const { secret, filename: file_name } = context.input
      await remove(context, await getUpload(context, { secret, file_name }))
    },
  }),
]
