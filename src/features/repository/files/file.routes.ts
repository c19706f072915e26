import { Type } from 'typebox'
import type { BlameRange } from '../../../git/blame.ts'
import type { GitAccess } from '../../../git/git.ts'
import { isOid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import type { Repository } from '../../../git/repository.ts'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import type { LongText } from '../../../http/long-text.ts'
import {
  binaryBody,
  fileContent,
  namedObject,
  nonBlankText,
  oneOf,
  optionalBoolean,
  optionalText,
} from '../../../http/schema.ts'
import { invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  mayDownloadCode,
  type Project,
  projectLoader,
  projectRepository,
  projectUrl,
} from '../../../subjects/project.ts'
import { computeBlobSha256, createJsonBlobAnswer, createRawBlobAnswer } from '../blobs/blob.ts'
import { rawFileHeaders } from '../blobs/raw.ts'
import { decodeFileContent } from '../commits/content.ts'
import { createCommit, type FileAction } from '../commits/create-commit.ts'
import { mayPush, mayPushToAtLeastOneBranch, pushableProjectLoader } from '../pushes/push.ts'
import { recheckerForCommit } from '../pushes/recheck-access.ts'
import {
  BlameJson,
  type FileAtRef,
  FileJson,
  type FilePresenterInput,
  FileWriteJson,
  fileMetadataHeaders,
  presentBlame,
  presentFile,
  RenderedFileJson,
} from './file.present.ts'
import { checkFilePath, getFile } from './file.ts'
import { keepFileAnswer } from './file-answers.ts'
import { createLfsObjectAnswer } from './lfs-file.ts'
import { renderFile } from './render-file.ts'

const endpoint = endpointFactory({
  tag: 'Repository files',
  on: projectLoader,
  scope: 'read_repository',
})
const filePath = { file_path: Type.String({ description: 'URL-encoded full path of the file.' }) }

type ReadContext = Context<Project, { file_path: string; ref?: string }>

async function findFile({ git, config, subject, input }: ReadContext): Promise<FileAtRef> {
  checkFilePath(input.file_path)
  const repository = projectRepository(config, subject)
  const ref = input.ref || 'HEAD'
  return {
    file: await getFile(git, repository, { ref, path: input.file_path }),
    path: input.file_path,
    ref,
  }
}

async function viewFile({ git }: ReadContext, found: FileAtRef): Promise<FilePresenterInput> {
  return { ...found, sha256: await computeBlobSha256(git, found.file) }
}

/** Computing the digest of a larger file before it is sent would delay the response by seconds. */
const digested_bytes_max = 64 * 1024 * 1024

/**
 * Returns the headers of a file with content. They include the digest, unless the file is large and its
 * digest is not cached.
 */
async function contentHeaders({ git }: ReadContext, found: FileAtRef) {
  const { blob, size } = found.file
  const sha256 =
    size <= digested_bytes_max
      ? await computeBlobSha256(git, found.file)
      : git.objects.knownSha256(blob)
  return fileMetadataHeaders({ ...found, sha256 })
}

function writeFields() {
  return {
    ...filePath,
    branch: nonBlankText(),
    commit_message: nonBlankText(),
    start_branch: optionalText,
    author_email: optionalText,
    author_name: optionalText,
  }
}

function positive() {
  return Type.Integer({ minimum: 1, notBlank: true })
}

const ContentInput = {
  ...writeFields(),
  content: fileContent(),
  encoding: Type.Optional(oneOf(['base64', 'text'])),
}

type WriteInput = {
  file_path: string
  branch: string
  commit_message: string
  start_branch?: string
  author_email?: string
  author_name?: string
  content?: string | LongText
  encoding?: 'base64' | 'text'
  last_commit_id?: string
  execute_filemode?: boolean
}

const staleMessages: Partial<Record<FileAction['action'], string>> = {
  update: 'You are attempting to update a file that has changed since you started editing it.',
  delete: 'You are attempting to delete a file that has been previously updated.',
}

async function write(
  context: Context<Project, WriteInput>,
  action: 'create' | 'update' | 'delete',
) {
  const { subject: project, input, user } = context
  checkFilePath(input.file_path)
  // The commits API responds with 403 here. This API has always responded with 400, and clients match the
  // text.
  const refusal = () => invalid('You are not allowed to push into this branch')
  if (!(await mayPush(context, project, input.branch))) throw refusal()
  const { file_path, content, encoding, last_commit_id, execute_filemode } = input
  await createCommit(context, {
    project,
    user,
    branch: input.branch,
    start_branch: input.start_branch || undefined,
    message: input.commit_message,
    author: { name: input.author_name, email: input.author_email },
    actions: [
      {
        action,
        file_path,
        content: content === undefined ? undefined : await decodeFileContent(content, encoding),
        last_commit_id: last_commit_id || undefined,
        execute_filemode,
      },
    ],
    refusesUnchanged: true,
    confirm: recheckerForCommit(context, project, { branch: input.branch, refusal }),
    staleMessage: ({ action }) => staleMessages[action] ?? '',
  })
  return { file_path, branch: input.branch }
}

type Range = { start: number; end: number }

/**
 * Returns the blame of a file, or of a range of its lines. Small files are blamed as a whole, so that other
 * ranges are cached.
 */
async function blameFile(
  { blames }: GitAccess,
  { file, path }: FileAtRef,
  range: Range | undefined,
): Promise<BlameRange[]> {
  const { repository, lastCommit, size } = file
  if (range && size > limits.cached_blob_bytes) {
    return blames.blameLines(repository, lastCommit, path, range)
  }
  const whole = await blames.blame(repository, lastCommit, path)
  return range ? cut(whole, range) : whole
}

/** Returns the part of a blame between two lines, counted from 1. The end may lie beyond the file. */
function cut(ranges: readonly BlameRange[], { start, end }: Range): BlameRange[] {
  const kept: BlameRange[] = []
  let line = 1
  for (const { commit, lines } of ranges) {
    const inside = lines.slice(Math.max(0, start - line), Math.max(0, end - line + 1))
    if (inside.length > 0) kept.push({ commit, lines: inside })
    line += lines.length
  }
  return kept
}

async function commitsOf(git: GitAccess, repository: Repository, ranges: readonly BlameRange[]) {
  const oids = [...new Set(ranges.map(({ commit }) => commit))]
  const commits = await git.objects.commits(repository, oids)
  return new Map<string, Commit>(commits.map((commit) => [commit.oid, commit]))
}

export const fileEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/files/:file_path',
    summary: 'Get a file with its content in Base64',
    allow: mayDownloadCode,
    isFixed: ({ ref }) => isOid(ref),
    input: Type.Object({ ...filePath, ref: nonBlankText() }),
    answer: FileJson,
    async run(context) {
      const found = await findFile(context)
      const { method } = context.request
      if (method === 'HEAD') {
        return Answer.raw(undefined, {
          'content-type': 'application/json',
          ...fileMetadataHeaders(await viewFile(context, found)),
        })
      }
      return keepFileAnswer('json', found, async () => {
        const view = await viewFile(context, found)
        const headers = fileMetadataHeaders(view)
        return createJsonBlobAnswer(context.git, view.file, {
          record: presentFile(view),
          headers,
          method,
        })
      })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/files/:file_path/blame',
    summary: 'Get the blame of a file',
    allow: mayDownloadCode,
    isFixed: ({ ref }) => isOid(ref),
    input: Type.Object({
      ...filePath,
      ref: nonBlankText(),
      range: Type.Optional(namedObject('BlameRange', { start: positive(), end: positive() })),
    }),
    answer: BlameJson,
    async run(context) {
      const { git, input, request } = context
      const { range } = input
      if (range && range.start > range.end) {
        throw invalid('range[start] must be less than or equal to range[end]')
      }
      const view = await findFile(context)
      const headers = await contentHeaders(context, view)
      if (request.method === 'HEAD') {
        return Answer.raw(undefined, { 'content-type': 'application/json', ...headers })
      }
      const ranges = await blameFile(git, view, range)
      const commits = await commitsOf(git, view.file.repository, ranges)
      return Answer.json(200, presentBlame(ranges, commits), headers)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/files/:file_path/rendered',
    summary: 'Get a file as HTML',
    allow: mayDownloadCode,
    isFixed: ({ ref }) => isOid(ref),
    input: Type.Object({ ...filePath, ref: optionalText }),
    answer: RenderedFileJson,
    async run(context) {
      const { git, config, subject: project, input, baseUrl } = context
      checkFilePath(input.file_path)
      const repository = projectRepository(config, project)
      const place = { path: input.file_path, ref: input.ref || 'HEAD' }
      const file = await getFile(git, repository, place)
      const url = projectUrl(baseUrl, project)
      return { blob_id: file.blob, ...(await renderFile(git, file, { ...place, url })) }
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/files/:file_path/raw',
    summary: 'Get the raw content of a file',
    allow: mayDownloadCode,
    isFixed: ({ ref, lfs }) => isOid(ref) && lfs !== true,
    input: Type.Object({ ...filePath, ref: optionalText, lfs: optionalBoolean }),
    answer: binaryBody(),

    async run(context) {
      const view = await findFile(context)
      const { method } = context.request
      if (context.input.lfs) {
        const headers = await contentHeaders(context, view)
        const answer = await createLfsObjectAnswer(context, context.subject, {
          ...view,
          method,
          headers,
        })
        if (answer) return answer
      }
      return keepFileAnswer('raw', view, async () => {
        const headers = await contentHeaders(context, view)
        return createRawBlobAnswer(context.git, view.file, {
          method,
          headersOf: (head) => ({ ...headers, ...rawFileHeaders(view.path, head) }),
        })
      })
    },
  }),

  endpoint({
    route: 'POST /projects/:id/repository/files/:file_path',
    summary: 'Create a file',
    on: pushableProjectLoader,
    allow: mayPushToAtLeastOneBranch,
    transaction: 'none',
    body_bytes_max: limits.content_body_bytes,
    input: Type.Object({
      ...ContentInput,
      execute_filemode: Type.Optional(Type.Boolean({ default: false })),
    }),
    status: 201,
    answer: FileWriteJson,
    run: (context) => write(context, 'create'),
  }),

  endpoint({
    route: 'PUT /projects/:id/repository/files/:file_path',
    summary: 'Change a file',
    on: pushableProjectLoader,
    allow: mayPushToAtLeastOneBranch,
    transaction: 'none',
    body_bytes_max: limits.content_body_bytes,
    input: Type.Object({
      ...ContentInput,
      last_commit_id: optionalText,
      execute_filemode: optionalBoolean,
    }),
    answer: FileWriteJson,
    run: (context) => write(context, 'update'),
  }),

  endpoint({
    route: 'DELETE /projects/:id/repository/files/:file_path',
    summary: 'Delete a file',
    on: pushableProjectLoader,
    allow: mayPushToAtLeastOneBranch,
    transaction: 'none',
    input: Type.Object({ ...writeFields(), last_commit_id: optionalText }),
    status: 204,
    async run(context) {
      await write(context, 'delete')
    },
  }),
]
