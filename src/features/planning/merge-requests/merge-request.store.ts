import type { Insertable, Updateable } from 'kysely'
import type { Db, MergeRequestTable, MergeRequestVersionTable } from '../../../db/db.ts'

const rows_max = 500

/** Makes a version the newest one, unless another is by now. */
export async function insertVersion(
  tx: Db,
  {
    issuable_id,
    before,
    version,
    commits,
  }: {
    issuable_id: number
    before: number | null
    version: Omit<Insertable<MergeRequestVersionTable>, 'issuable_id'>
    commits: readonly string[]
  },
): Promise<void> {
  const { id } = await tx
    .insertInto('merge_request_versions')
    .values({ ...version, issuable_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = await tx
    .updateTable('merge_requests')
    .set({ head_sha: version.head_sha, latest_version_id: id })
    .where('issuable_id', '=', issuable_id)
    .where('latest_version_id', before === null ? 'is' : '=', before)
    .returning('issuable_id')
    .executeTakeFirst()
  if (!made) {
    await tx.deleteFrom('merge_request_versions').where('id', '=', id).execute()
    return
  }
  await tx.deleteFrom('merge_request_commits').where('issuable_id', '=', issuable_id).execute()
  for (let at = 0; at < commits.length; at += rows_max) {
    const rows = commits.slice(at, at + rows_max).map((sha) => ({ issuable_id, sha }))
    await tx.insertInto('merge_request_commits').values(rows).execute()
  }
}

export async function saveStatus(
  db: Db,
  issuable_id: number,
  status: Pick<
    Updateable<MergeRequestTable>,
    'merge_status' | 'checked_source_sha' | 'checked_target_sha'
  >,
): Promise<void> {
  await db
    .updateTable('merge_requests')
    .set(status)
    .where('issuable_id', '=', issuable_id)
    .where('is_open', '=', true)
    .execute()
}
