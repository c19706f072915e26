import type { Db } from '../../../db/db.ts'
import type { Issuable } from '../../../subjects/issuable.ts'

/** Whether no other merge request of its author was merged into the project. */
export async function isFirstContribution(
  db: Db,
  { project_id, author_id, id }: Pick<Issuable, 'project_id' | 'author_id' | 'id'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('issuables')
    .select('id')
    .where('author_id', '=', author_id)
    .where('kind', '=', 'merge_request')
    .where('project_id', '=', project_id)
    .where('state', '=', 'merged')
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  return row === undefined
}
