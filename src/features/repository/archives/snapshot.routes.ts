import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { repositoryExists } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { openSnapshot } from '../../../git/snapshot.ts'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { bytes, optionalBoolean } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { ownerOfProject } from '../../../subjects/owner.ts'
import { aProject, type Project, projectRepository } from '../../../subjects/project.ts'
import { findWiki, wikiRepository } from '../../../subjects/wiki.ts'
import { countArchive } from './answer-archive.ts'

/** 404 for a wiki that has no page yet. */
async function findRepository(
  { db, config, subject }: Context<Project, unknown>,
  isWiki: boolean,
): Promise<Repository> {
  const wiki = isWiki ? await findWiki(db, ownerOfProject(subject)) : undefined
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
    on: aProject,
    signIn: 'always',
    allow: administrators,
    input: Type.Object({ wiki: optionalBoolean }),
    answer: bytes('application/x-tar'),
    async run(context) {
      const { git, input, request, subject, user, rateLimiter } = context
      countArchive(rateLimiter, subject.id, String(user.id))
      const repository = await findRepository(context, input.wiki === true)
      const headers = {
        'content-type': 'application/x-tar',
        'content-disposition': 'attachment; filename="snapshot.tar"',
        'cache-control': 'private, no-store',
      }
      if (request.method === 'HEAD') return Answer.raw(undefined, headers)
      return Answer.raw(await openSnapshot(git.git, repository), headers)
    },
  }),
]
