import { Type } from 'typebox'
import type { Rule } from '../../../access/rule.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { binaryBody, file, pageInput } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  mayAdminProject,
  mayReadProject,
  type Project,
  projectLoader,
} from '../../../subjects/project.ts'
import { removeUpload, storeUpload } from './store-upload.ts'
import { NewUploadJson, presentNewUpload, presentUpload, UploadJson } from './upload.present.ts'
import { listUploads } from './upload.store.ts'
import { createUploadAnswer, findUpload } from './upload.ts'

const endpoint = endpointFactory({ tag: 'Uploads', on: projectLoader })

/** Signed-in callers who see the project may upload files for texts in it. */
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

export const uploadEndpoints = [
  endpoint({
    route: 'POST /projects/:id/uploads',
    summary: 'Upload a file to a project',
    signIn: 'always',
    allow: addUploads,
    transaction: 'none',
    body_bytes_max: limits.content_body_bytes,
    input: Type.Object({ file: file() }),
    status: 201,
    answer: NewUploadJson,
    async run(context) {
      const { subject: project, user, input } = context
      const given = { project_id: project.id, uploaded_by_id: user.id, file: input.file }
      return storeUpload(context, given, async (_tx, upload) => presentNewUpload(project, upload))
    },
  }),

  endpoint({
    route: 'GET /projects/:id/uploads',
    summary: 'List the files uploaded to a project',
    signIn: 'always',
    allow: mayAdminProject,
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
    allow: mayAdminProject,
    input: idInput,
    answer: binaryBody(),
    async run(context) {
      const upload = await getUpload(context, { id: context.input.upload_id })
      return createUploadAnswer(context.config, upload, context.request)
    },
  }),

  endpoint({
    route: `GET ${byAddress}`,
    summary: 'Get an uploaded file by its secret and name',
    allow: mayReadProject,
    input: addressInput,
    answer: binaryBody(),
    async run(context) {
      const { secret, filename: file_name } = context.input
      const upload = await getUpload(context, { secret, file_name })
      return createUploadAnswer(context.config, upload, context.request)
    },
  }),

  endpoint({
    route: `DELETE ${byId}`,
    summary: 'Delete an uploaded file by its id',
    allow: mayAdminProject,
    input: idInput,
    status: 204,
    async run(context) {
      const { id } = await getUpload(context, { id: context.input.upload_id })
      await removeUpload(context.db, context.clock, id)
    },
  }),

  endpoint({
    route: `DELETE ${byAddress}`,
    summary: 'Delete an uploaded file by its secret and name',
    allow: mayAdminProject,
    input: addressInput,
    status: 204,
    async run(context) {
      const { secret, filename: file_name } = context.input
      const { id } = await getUpload(context, { secret, file_name })
      await removeUpload(context.db, context.clock, id)
    },
  }),
]
