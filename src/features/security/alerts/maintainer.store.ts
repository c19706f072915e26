import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'

/** Who maintains or owns a project, by id, from the first after `after` on. */
export async function listMaintainers(
  db: Db,
  { id, namespace_id }: { id: number; namespace_id: number },
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const ofProject = db
    .selectFrom('project_access')
    .select('user_id')
    .where('project_id', '=', id)
    .where('access_level', '>=', Level.maintainer)
    .where('user_id', '>', after)
  const ofNamespace = db
    .selectFrom('namespace_access')
    .select('user_id')
    .where('namespace_id', '=', namespace_id)
    .where('access_level', '>=', Level.maintainer)
    .where('user_id', '>', after)
  const rows = await ofProject.union(ofNamespace).orderBy('user_id').limit(limit).execute()
  return rows.map(({ user_id }) => user_id)
}
