import { Type } from 'typebox'
import { Answer } from '../../../http/answer.ts'
import { contentDisposition } from '../../../http/disposition.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { optionalText } from '../../../http/schema.ts'
import { tooManyRequests, unknownRoute } from '../../../kernel/errors.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import {
  aProject,
  downloadCode,
  type Project,
  projectRepository,
} from '../../../subjects/project.ts'
import { archiveFormats, findArchive } from './archive.ts'

const tag = 'Repositories'
const fields = {
  sha: Type.Optional(Type.String({ description: 'Branch, tag or commit; the default branch.' })),
  path: Type.Optional(Type.String({ description: 'Only this file or folder.' })),
}
type ArchiveInput = { sha?: string; path?: string; format?: string }

const tooManyText = 'This archive has been requested too many times. Try again later.'

async function answerArchive(context: Context<Project, ArchiveInput>): Promise<Answer> {
  const { git, config, subject: project, input, request, actor, rateLimiter } = context
  const extension = input.format || 'tar.gz'
  const format = ownValue(archiveFormats, extension)
  if (!format) throw unknownRoute()
  const who = `${project.id}:${actor.user?.id ?? request.ip}`
  const verdict = rateLimiter.count('project_repositories_archive', who)
  if (verdict) throw tooManyRequests(tooManyText, verdict.headers)
  const repository = projectRepository(config, project)
  const { commit, path, name } = await findArchive(git, repository, project, {
    sha: input.sha ?? '',
    path: input.path ?? '',
  })
  const headers = {
    'content-type': 'application/octet-stream',
    'Content-Disposition': contentDisposition('attachment', `${name}.${format}`),
    'Cache-Control': 'max-age=0, private, must-revalidate',
  }
  if (request.method === 'HEAD') return Answer.raw(undefined, headers)
  const { signal } = request
  const archive = await git.archives.open(repository, {
    commit,
    format,
    folder: name,
    path,
    signal,
  })
  return Answer.raw(archive, headers)
}

export const archiveEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/archive',
    summary: 'Get an archive of the files of a commit',
    tag,
    on: aProject,
    allow: downloadCode,
    input: Type.Object({ ...fields, format: optionalText }),

    run: answerArchive,
  }),

  endpoint({
    route: 'GET /projects/:id/repository/archive.:format',
    summary: 'Get an archive of the files of a commit in a format',
    tag,
    on: aProject,
    allow: downloadCode,
    input: Type.Object({
      format: Type.String({ description: Object.keys(archiveFormats).join(', ') }),
      ...fields,
    }),

    run: answerArchive,
  }),
]
