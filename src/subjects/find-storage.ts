import type { Db } from '../db/db.ts'
import { lowerCaseExpression } from '../db/dialect.ts'
import type { RepositoryAddress } from '../http/forwarding.ts'

/**
 * Returns the storage of the repository at an address; undefined where nobody has that address. A wiki that nobody has
 * written yet is where its project is.
 */
export async function findStorage(
  db: Db,
  { kind, by, isWiki }: RepositoryAddress,
): Promise<string | undefined> {
  if (kind === 'group') return findGroupWikiStorage(db, by)
  const project = await db
    .selectFrom('projects')
    .leftJoin('wikis', 'wikis.project_id', 'projects.id')
    .select(['projects.repository_storage', 'wikis.repository_storage as wiki_storage'])
    .where((eb) =>
      'id' in by
        ? eb('projects.id', '=', by.id)
        : eb(
            'projects.id',
            'in',
            eb
              .selectFrom('routes')
              .select('project_id')
              .where(lowerCaseExpression('routes.path'), 'in', lowered(by.paths)),
          ),
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
  const wiki = await db
    .selectFrom('wikis')
    .select('repository_storage')
    .where((eb) =>
      'id' in by
        ? eb('wikis.namespace_id', '=', by.id)
        : eb(
            'wikis.namespace_id',
            'in',
            eb
              .selectFrom('routes')
              .select('namespace_id')
              .where(lowerCaseExpression('routes.path'), 'in', lowered(by.paths)),
          ),
    )
    .executeTakeFirst()
  return wiki?.repository_storage
}

function lowered(paths: readonly string[]): string[] {
  return paths.map((path) => path.toLowerCase())
}
