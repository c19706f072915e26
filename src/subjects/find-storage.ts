import { defineRowLoader } from '../db/compiled-query.ts'
import type { Db } from '../db/db.ts'
import { lowerCaseExpression } from '../db/dialect.ts'
import type { RepositoryAddress } from '../http/forwarding.ts'

const storagesOfProjects = (db: Db) =>
  db
    .selectFrom('projects')
    .leftJoin('wikis', 'wikis.project_id', 'projects.id')
    .select(['projects.repository_storage', 'wikis.repository_storage as wiki_storage'])

// By an id is how nearly all requests come, each of which waits for it.
const storagesOfProject = defineRowLoader((db, { id }: { id: number }) =>
  storagesOfProjects(db).where('projects.id', '=', id),
)

/**
 * Returns the storage of the repository of a project, wiki or snippet; undefined if it does not exist. A wiki without pages
 * is in the storage of its project.
 */
export async function findStorage(
  db: Db,
  { kind, by, isWiki }: RepositoryAddress,
): Promise<string | undefined> {
  if (kind === 'group') return findGroupWikiStorage(db, by)
  const project =
    'id' in by
      ? await storagesOfProject(db, by)
      : await storagesOfProjects(db)
          .where('projects.id', 'in', ({ selectFrom }) =>
            selectFrom('routes')
              .select('project_id')
              .where(lowerCaseExpression('routes.path'), 'in', lowered(by.paths)),
          )
          .executeTakeFirst()
  // The wiki of a group has the address of a project's for git.
  if (!project && isWiki) return findGroupWikiStorage(db, by)
  return (isWiki ? project?.wiki_storage : undefined) ?? project?.repository_storage
}

async function findGroupWikiStorage(
  db: Db,
  by: RepositoryAddress['by'],
): Promise<string | undefined> {
  const wikis = db.selectFrom('wikis').select('repository_storage')
  const wiki =
    'id' in by
      ? wikis.where('namespace_id', '=', by.id)
      : wikis.where('namespace_id', 'in', ({ selectFrom }) =>
          selectFrom('routes')
            .select('namespace_id')
            .where(lowerCaseExpression('routes.path'), 'in', lowered(by.paths)),
        )
  return (await wiki.executeTakeFirst())?.repository_storage
}

function lowered(paths: readonly string[]): string[] {
  return paths.map((path) => path.toLowerCase())
}
