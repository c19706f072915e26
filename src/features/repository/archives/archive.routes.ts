import { Type } from 'typebox'
import type { Answer } from '../../../http/answer.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { binaryBody, optionalText } from '../../../http/schema.ts'
import { unknownRoute } from '../../../kernel/errors.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import {
  mayDownloadCode,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { archiveFormatsByExtension, resolveArchive } from './archive.ts'
import { createArchiveAnswer, enforceArchiveRateLimit } from './archive-answer.ts'

const tag = 'Repositories'
const endpoint = endpointFactory({ tag, on: projectLoader })
const fields = {
  sha: Type.Optional(Type.String({ description: 'Branch, tag or commit; the default branch.' })),
  path: Type.Optional(Type.String({ description: 'Only this file or folder.' })),
}
type ArchiveInput = { sha?: string; path?: string; format?: string }

async function sendArchive(context: Context<Project, ArchiveInput>): Promise<Answer> {
  const { git, config, subject: project, input, request, actor, rateLimiter } = context
  const format = ownValue(archiveFormatsByExtension, input.format || 'tar.gz')
  if (!format) throw unknownRoute()
  enforceArchiveRateLimit(rateLimiter, project.id, String(actor.user?.id ?? request.ip))
  const repository = projectRepository(config, project)
  const { sha = '', path = '' } = input
  const archive = await resolveArchive(git, repository, project, { sha, path })
  return createArchiveAnswer(git, repository, { ...archive, format, request })
}

export const archiveEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/archive',
    summary: 'Get an archive of the files of a commit',
    allow: mayDownloadCode,
    input: Type.Object({ ...fields, format: optionalText }),

    answer: binaryBody(),
    run: sendArchive,
  }),

  endpoint({
    route: 'GET /projects/:id/repository/archive.:format',
    summary: 'Get an archive of the files of a commit in a format',
    allow: mayDownloadCode,
    input: Type.Object({
      format: Type.String({ description: Object.keys(archiveFormatsByExtension).join(', ') }),
      ...fields,
    }),

    answer: binaryBody(),
    run: sendArchive,
  }),
]
