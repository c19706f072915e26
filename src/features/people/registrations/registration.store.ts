import type { Db } from '../../../db/db.ts'

/**
 * Whether anybody has signed in on pages since the server was installed. The query ends at the first such user, usually
 * root.
 */
export async function hasAnySignIn(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('sign_in_count', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
