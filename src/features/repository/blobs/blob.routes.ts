import { type Static, Type } from 'typebox'
import { asOid } from '../../../git/names.ts'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { bytes, record } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import {
  aProject,
  downloadCode,
  type Project,
  projectRepository,
} from '../../../subjects/project.ts'
import { type BlobAt, rawAnswer, recordAnswer } from './blob.ts'
import { rawHeaders } from './raw.ts'

const endpoint = endpointsWith({ tag: 'Repositories', on: aProject })
const blobInput = Type.Object({ sha: Type.String({ description: 'Full hash of the blob.' }) })

const BlobJson = record('GitBlob', {
  size: Type.Integer(),
  encoding: Type.Literal('base64'),
  sha: Type.String(),
  content: Type.String(),
})

/** The blob of that full object name. Throws 404 for anything else, also for an object that is no blob. */
async function findBlob({
  git,
  config,
  subject,
  input,
}: Context<Project, Static<typeof blobInput>>): Promise<BlobAt> {
  const repository = projectRepository(config, subject)
  const blob = asOid(input.sha.toLowerCase())
  const info = blob && (await git.objects.info(repository, blob))
  if (info?.type !== 'blob') throw notFound('Blob')
  return { repository, blob: info.oid, size: info.size }
}

export const blobEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/blobs/:sha',
    summary: 'Get a blob with its content in Base64',
    allow: downloadCode,
    input: blobInput,
    answer: BlobJson,
    async run(context) {
      const found = await findBlob(context)
      return recordAnswer(context.git, found, {
        record: { size: found.size, encoding: 'base64', sha: found.blob },
        headers: {},
        method: context.request.method,
      })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/blobs/:sha/raw',
    summary: 'Get a blob as it is',
    allow: downloadCode,
    input: blobInput,
    answer: bytes(),

    async run(context) {
      const found = await findBlob(context)
      return rawAnswer(context.git, found, {
        method: context.request.method,
        // A blob has no name to save it under (docs/api/repository.md, "Raw contents").
        headersOf: (head) => ({ ...rawHeaders('', head), 'Content-Disposition': 'inline' }),
      })
    },
  }),
]
