import type { Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { User } from '../../../subjects/user.ts'

export type Follow = { follower_id: number; followee_id: number }

/** Follows a user; returns false if they already do. */
export async function insertFollow(
  db: Db,
  follow: Follow & { created_at: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('follows')
    .values(follow)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Unfollows a user; returns false if they do not follow them. */
export async function deleteFollow(db: Db, follow: Follow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('follows')
    .where('follower_id', '=', follow.follower_id)
    .where('followee_id', '=', follow.followee_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns one page of a user's followers, or of the users they follow; the newest first. */
export async function listFollows(
  db: Db,
  { user_id, side }: { user_id: number; side: 'followers' | 'following' },
  page: { offset: number; per_page: number },
): Promise<{ rows: User[]; total: number | undefined }> {
  const [mine, other] =
    side === 'followers'
      ? (['followee_id', 'follower_id'] as const)
      : (['follower_id', 'followee_id'] as const)
  const query = db.selectFrom('follows').where(`follows.${mine}`, '=', user_id)
  const rows = await query
    .innerJoin('users', 'users.id', `follows.${other}`)
    .selectAll('users')
    .orderBy('follows.id', 'desc')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, query.select('follows.id')) }
}
