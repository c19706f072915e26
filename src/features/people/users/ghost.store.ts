import type { Db } from '../../../db/db.ts'
import { lower } from '../../../db/dialect.ts'
import type { User } from '../../../subjects/user.ts'

export function findGhost(db: Db): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('user_type', '=', 'ghost').executeTakeFirst()
}

/** Whether no user and no group has the name, and nobody the address that goes with it. */
export async function isFree(db: Db, name: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where((eb) =>
      eb.or([eb(lower('username'), '=', name), eb(lower('email'), '=', `${name}@example.com`)]),
    )
    .executeTakeFirst()
  const route = await db
    .selectFrom('routes')
    .select('path')
    .where(lower('path'), '=', name)
    .executeTakeFirst()
  return !user && !route
}

/** Gives one user whatever names another and outlives them. */
export async function giveContributions(
  tx: Db,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx
    .updateTable('commit_comments')
    .set({ author_id: to })
    .where('author_id', '=', from)
    .execute()
  await tx.updateTable('projects').set({ creator_id: to }).where('creator_id', '=', from).execute()
  for (const table of ['pipelines', 'jobs'] as const) {
    await tx.updateTable(table).set({ user_id: to }).where('user_id', '=', from).execute()
  }
}
