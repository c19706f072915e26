import type { Db } from '../../../db/db.ts'

/**
 * Stores an approval. Returns false if the user had already approved; with `isRenewed`, if the user had already approved
 * this head.
 */
export async function upsertApproval(
  tx: Db,
  row: { issuable_id: number; user_id: number; head_sha: string | null; created_at: string },
  { isRenewed }: { isRenewed: boolean },
): Promise<boolean> {
  const made = await tx
    .insertInto('merge_request_approvals')
    .values(row)
    .onConflict((conflict) =>
      isRenewed
        ? conflict
            .columns(['issuable_id', 'user_id'])
            .doUpdateSet({ head_sha: row.head_sha, created_at: row.created_at })
            .where('merge_request_approvals.head_sha', 'is distinct from', row.head_sha)
        : conflict.doNothing(),
    )
    .returning('user_id')
    .executeTakeFirst()
  return made !== undefined
}

export async function deleteApproval(
  tx: Db,
  { issuable_id, user_id }: { issuable_id: number; user_id: number },
): Promise<boolean> {
  const gone = await tx
    .deleteFrom('merge_request_approvals')
    .where('issuable_id', '=', issuable_id)
    .where('user_id', '=', user_id)
    .returning('user_id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Deletes all approvals of a merge request, or all except those given at `kept_head`. Returns the ids of their users. */
export async function deleteApprovals(
  tx: Db,
  issuable_id: number,
  { kept_head }: { kept_head?: string } = {},
): Promise<number[]> {
  const gone = await tx
    .deleteFrom('merge_request_approvals')
    .where('issuable_id', '=', issuable_id)
    .$if(kept_head !== undefined, (query) =>
      query.where('head_sha', 'is distinct from', kept_head ?? ''),
    )
    .returning('user_id')
    .execute()
  return gone.map(({ user_id }) => user_id)
}

/** Whether one of the addresses, given in lower case, is a confirmed address of the user. */
export async function isAnyEmailOfUser(
  db: Db,
  user_id: number,
  addresses: ReadonlySet<string>,
): Promise<boolean> {
  const rows = await db
    .selectFrom('users')
    .select('users.email')
    .where('users.id', '=', user_id)
    .union(
      db
        .selectFrom('users')
        .select('users.commit_email as email')
        .$narrowType<{ email: string }>()
        .where('users.id', '=', user_id)
        .where('users.commit_email', 'is not', null),
    )
    .union(
      db
        .selectFrom('emails')
        .select('emails.email')
        .where('emails.user_id', '=', user_id)
        .where('emails.confirmed_at', 'is not', null),
    )
    .execute()
  return rows.some(({ email }) => addresses.has(email.toLowerCase()))
}
