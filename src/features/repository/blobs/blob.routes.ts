import { type Static, Type } from 'typebox'
import { asOid } from '../../../git/names.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { binaryBody, namedObject } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import {
  mayDownloadCode,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { type BlobLocation, createJsonBlobAnswer, createRawBlobAnswer } from './blob.ts'
import { rawFileHeaders } from './raw.ts'

const endpoint = endpointFactory({ tag: 'Repositories', on: projectLoader })
const blobInput = Type.Object({ sha: Type.String({ description: 'Full hash of the blob.' }) })

const BlobJson = namedObject('GitBlob', {
  size: Type.Integer(),
  encoding: Type.Literal('base64'),
  sha: Type.String(),
  content: Type.String(),
})

/**
 * Returns the blob with this full object id. Throws 404 for a missing object and for an object that is not a
 * blob.
 */
async function findBlob({
  git,
  config,
  subject,
  input,
}: Context<Project, Static<typeof blobInput>>): Promise<BlobLocation> {
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
    allow: mayDownloadCode,
    input: blobInput,
    answer: BlobJson,
    async run(context) {
      const found = await findBlob(context)
      return createJsonBlobAnswer(context.git, found, {
        record: { size: found.size, encoding: 'base64', sha: found.blob },
        headers: {},
        method: context.request.method,
      })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/blobs/:sha/raw',
    summary: 'Get the raw content of a blob',
    allow: mayDownloadCode,
    input: blobInput,
    answer: binaryBody(),

    async run(context) {
      const found = await findBlob(context)
      return createRawBlobAnswer(context.git, found, {
        method: context.request.method,
        // A blob has no file name for the header (docs/api/repository.md, "Raw contents").
        headersOf: (head) => ({ ...rawFileHeaders('', head), 'Content-Disposition': 'inline' }),
      })
    },
  }),
]
