// Memberships, shares and invitations that have expired by `day`.
import type { Db } from '../../../db/db.ts'

/** Whether any membership, share or invitation has expired. */
export async function hasEndedMemberships(db: Db, day: string): Promise<boolean> {
  for (const table of ['members', 'namespace_shares', 'project_shares', 'invitations'] as const) {
    const ended = await db
      .selectFrom(table)
      .select('id')
      .where('expires_at', '<=', day)
      .limit(1)
      .executeTakeFirst()
    if (ended) return true
  }
  return false
}

/** Deletes all ended memberships, shares and invitations, and returns those that gave somebody a level. */
export async function deleteEndedMemberships(tx: Db, day: string) {
  const members = await tx
    .deleteFrom('members')
    .where('expires_at', '<=', day)
    .returning(['namespace_id', 'project_id', 'user_id', 'access_level'])
    .execute()
  const groupShares = await tx
    .deleteFrom('namespace_shares')
    .where('expires_at', '<=', day)
    .returning(['namespace_id', 'shared_with_id', 'access_level'])
    .execute()
  const projectShares = await tx
    .deleteFrom('project_shares')
    .where('expires_at', '<=', day)
    .returning(['project_id', 'shared_with_id', 'access_level'])
    .execute()
  await tx.deleteFrom('invitations').where('expires_at', '<=', day).execute()
  return { members, groupShares, projectShares }
}
