import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { repositoryExists } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { openSnapshotStream } from '../../../git/snapshot.ts'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { binaryBody, optionalBoolean } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { projectAsOwner } from '../../../subjects/owner.ts'
import { type Project, projectLoader, projectRepository } from '../../../subjects/project.ts'
import { findWiki, wikiRepository } from '../../../subjects/wiki.ts'
import { enforceArchiveRateLimit } from './archive-answer.ts'

/** Throws 404 for a wiki without pages. */
async function findRepository(
  { db, config, subject }: Context<Project, unknown>,
  isWiki: boolean,
): Promise<Repository> {
  const wiki = isWiki ? await findWiki(db, projectAsOwner(subject)) : undefined
  if (isWiki && !wiki) throw notFound()
  const repository = wiki ? wikiRepository(config, wiki) : projectRepository(config, subject)
  if (!repositoryExists(repository)) throw notFound()
  return repository
}

export const snapshotEndpoints = [
  endpoint({
    tag: 'Repositories',
    route: 'GET /projects/:id/snapshot',
    summary:
      'Download the bare repository of a project, or of its wiki, as an uncompressed tar archive',
    on: projectLoader,
    signIn: 'always',
    allow: administrators,
    input: Type.Object({ wiki: optionalBoolean }),
    answer: binaryBody('application/x-tar'),
    async run(context) {
      const { git, input, request, subject, user, rateLimiter } = context
      enforceArchiveRateLimit(rateLimiter, subject.id, String(user.id))
      const repository = await findRepository(context, input.wiki === true)
      const headers = {
        'content-type': 'application/x-tar',
        'content-disposition': 'attachment; filename="snapshot.tar"',
        'cache-control': 'private, no-store',
      }
      if (request.method === 'HEAD') return Answer.raw(undefined, headers)
      return Answer.raw(await openSnapshotStream(git.git, repository), headers)
    },
  }),
]
