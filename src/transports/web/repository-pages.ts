// Raw files and archives at web addresses.
import type { Actor } from '../../access/actor.ts'
import { splitRefAndPath } from '../../features/repository/addresses/split-ref-and-path.ts'
import {
  archiveFormatsByExtension,
  resolveArchive,
} from '../../features/repository/archives/archive.ts'
import {
  createArchiveAnswer,
  enforceArchiveRateLimit,
} from '../../features/repository/archives/archive-answer.ts'
import { createRawBlobAnswer } from '../../features/repository/blobs/blob.ts'
import { attachmentHeaders, rawFileHeaders } from '../../features/repository/blobs/raw.ts'
import { checkFilePath, getFile } from '../../features/repository/files/file.ts'
import { createLfsObjectAnswer } from '../../features/repository/files/lfs-file.ts'
import type { Answer } from '../../http/answer.ts'
import type { Instance, RequestFacts } from '../../http/endpoint.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import { unknownRoute } from '../../kernel/errors.ts'
import { ownValue } from '../../kernel/own-value.ts'
import { type Project, projectRepository } from '../../subjects/project.ts'

/** `rest` is what follows `/-/raw/` or `/-/archive/`, part by part. */
type Asked = { project: Project; rest: readonly string[]; request: RequestFacts; actor: Actor }

/** Serves `REF/FILE`. A reference may contain slashes; the longest existing one is used. */
export async function answerRawPage(
  uses: Pick<Instance, 'db' | 'git' | 'config'> & { rateLimiter: RateLimiter },
  { project, rest, request }: Asked,
): Promise<Answer> {
  const { git, config } = uses
  const repository = projectRepository(config, project)
  const found = await splitRefAndPath(git, repository, { parts: rest, path_parts_min: 1 })
  if (!found) throw unknownRoute()
  const { ref, path } = found
  checkFilePath(path)
  const file = await getFile(git, repository, { ref, path })
  const { method, query } = request
  const view = { file, path, method, headers: {} }
  const large = await createLfsObjectAnswer(uses, project, view)
  if (large) return large
  const isSaved = query.inline === 'false'
  const headersOf = (head: Buffer) =>
    isSaved ? attachmentHeaders(path) : rawFileHeaders(path, head)
  return createRawBlobAnswer(git, file, { method, headersOf })
}

/** Serves `REF/NAME.tar.gz`, where the name is arbitrary, or `REF.tar.gz`. */
export async function answerArchivePage(
  { git, config, rateLimiter }: Pick<Instance, 'git' | 'config'> & { rateLimiter: RateLimiter },
  { project, rest, request, actor }: Asked,
): Promise<Answer> {
  const last = rest.at(-1) ?? ''
  const [, stem = '', extension = ''] =
    /^(.+?)\.(tar\.gz|tar\.bz2|tbz2?|tb2|bz2|tar|zip)$/.exec(last) ?? []
  const format = ownValue(archiveFormatsByExtension, extension)
  if (!format) throw unknownRoute()
  const sha = rest.length > 1 ? rest.slice(0, -1).join('/') : stem
  const repository = projectRepository(config, project)
  enforceArchiveRateLimit(rateLimiter, project.id, String(actor.user?.id ?? request.ip))
  const given = request.query.path
  const path = typeof given === 'string' ? given : ''
  const archive = await resolveArchive(git, repository, project, { sha, path })
  // Unlike that of the API, the folder is named without the commit: who unpacks it relies on the name.
  const parts = [project.path, sha, ...(archive.path === undefined ? [] : [archive.path])]
  const name = parts.join('-').replaceAll('/', '-')
  return createArchiveAnswer(git, repository, { ...archive, name, format, request })
}
