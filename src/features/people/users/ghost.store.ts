import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'

/** Reassigns the contributions of one user that outlive them to another user. */
export async function reassignContributions(
  tx: Db,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx
    .updateTable('commit_comments')
    .set({ author_id: to })
    .where('author_id', '=', from)
    .execute()
  await tx.updateTable('projects').set({ creator_id: to }).where('creator_id', '=', from).execute()
  for (const table of ['pipelines', 'jobs', 'timelogs', 'resource_events'] as const) {
    await tx.updateTable(table).set({ user_id: to }).where('user_id', '=', from).execute()
  }
  const authored = ['issuables', 'notes', 'todos', 'releases', 'vulnerabilities'] as const
  for (const table of authored) {
    await tx.updateTable(table).set({ author_id: to }).where('author_id', '=', from).execute()
  }
  for (const column of ['closed_by_id', 'updated_by_id', 'last_edited_by_id'] as const) {
    await tx.updateTable('issuables').set(column, to).where(column, '=', from).execute()
  }
  await tx
    .updateTable('notes')
    .set({ resolved_by_id: to })
    .where('resolved_by_id', '=', from)
    .execute()
  await tx
    .updateTable('merge_requests')
    .set({ merge_user_id: to })
    .where('merge_user_id', '=', from)
    .execute()
  await moveAwards(tx, { from, to })
}

/** Moves awards to another user. A user awards an emoji to a target once, so duplicates are deleted. */
async function moveAwards(tx: Db, { from, to }: { from: number; to: number }): Promise<void> {
  const isTwice = sql<boolean>`exists (select 1 from award_emojis as theirs
    where theirs.user_id = ${to} and theirs.name = award_emojis.name
    and (theirs.issuable_id = award_emojis.issuable_id or theirs.note_id = award_emojis.note_id))`
  const twice = tx
    .selectFrom('award_emojis')
    .where('award_emojis.user_id', '=', from)
    .where(isTwice)
  for (const [name, column] of [
    ['thumbsup', 'upvotes'],
    ['thumbsdown', 'downvotes'],
  ] as const) {
    const things = twice.where('award_emojis.name', '=', name).select('award_emojis.issuable_id')
    await tx
      .updateTable('issuables')
      .set((eb) => ({ [column]: eb(column, '-', 1) }))
      .where('id', 'in', things)
      .execute()
  }
  await tx
    .updateTable('award_emojis')
    .set({ user_id: to })
    .where('user_id', '=', from)
    .where(sql<boolean>`not ${isTwice}`)
    .execute()
}
