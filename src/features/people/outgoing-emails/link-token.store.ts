import type { Insertable } from 'kysely'
import type { Db, LinkTokenTable } from '../../../db/db.ts'

export async function upsertLinkToken(db: Db, token: Insertable<LinkTokenTable>): Promise<void> {
  const { digest, created_at, expires_at } = token
  await db
    .insertInto('link_tokens')
    .values(token)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'purpose', 'email'])
        .doUpdateSet({ digest, created_at, expires_at }),
    )
    .execute()
}

/** Deletes at most `limit` of the tokens that expired by `now`. */
export async function deleteEndedLinkTokens(
  db: Db,
  { now, limit }: { now: string; limit: number },
): Promise<void> {
  const ended = await db
    .selectFrom('link_tokens')
    .select('id')
    .where('expires_at', '<=', now)
    .limit(limit)
    .execute()
  // Usually there is nothing to delete. Then no write transaction is opened.
  if (ended.length === 0) return
  await db
    .deleteFrom('link_tokens')
    .where(
      'id',
      'in',
      ended.map(({ id }) => id),
    )
    .execute()
}
