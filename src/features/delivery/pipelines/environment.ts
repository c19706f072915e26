// The public face of the environments that jobs name.
import type { Db } from '../../../db/db.ts'

/** Empty for one that is gone. */
export async function findEnvironmentSlug(db: Db, id: number): Promise<string> {
  const row = await db
    .selectFrom('environments')
    .select('slug')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.slug ?? ''
}
