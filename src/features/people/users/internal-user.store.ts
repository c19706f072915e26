import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'
import type { InternalUserType, User } from '../../../subjects/user.ts'

export function findInternalUser(db: Db, user_type: InternalUserType): Promise<User | undefined> {
  // The type is a literal so that PostgreSQL uses the partial index for this user.
  return db
    .selectFrom('users')
    .selectAll()
    .where(sql<boolean>`user_type = ${sql.lit(user_type)}`)
    .executeTakeFirst()
}

/** Whether no user and no group has the name, and no user has the email address derived from it. */
export async function isUsernameFree(db: Db, name: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where((eb) =>
      eb.or([
        eb(lowerCaseExpression('username'), '=', name),
        eb(lowerCaseExpression('email'), '=', `${name}@example.com`),
      ]),
    )
    .executeTakeFirst()
  const route = await db
    .selectFrom('routes')
    .select('path')
    .where(lowerCaseExpression('path'), '=', name)
    .executeTakeFirst()
  return !user && !route
}
