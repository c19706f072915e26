import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import type { Issuable } from '../../../subjects/issuable.ts'

/** Returns some issuables that a user created, locked. */
export function lockIssuablesCreatedBy(
  tx: Db,
  { user_id, kind, limit }: { user_id: number; kind: Issuable['kind']; limit: number },
): Promise<Issuable[]> {
  const some = tx
    .selectFrom('issuables')
    .select('id')
    .where('author_id', '=', user_id)
    .where('kind', '=', kind)
    .orderBy('id')
    .limit(limit)
  return tx
    .updateTable('issuables')
    .set((eb) => ({ iid: eb.ref('iid') }))
    .where('id', 'in', some)
    .returningAll()
    .execute()
}

export async function removeNotesOfUser(tx: Db, user_id: number): Promise<void> {
  const written = sql<number>`(select count(*) from notes where notes.issuable_id = issuables.id
    and notes.author_id = ${user_id} and notes.system = ${sql.lit(false)})`
  await tx
    .updateTable('issuables')
    .set((eb) => ({ notes_count: eb('notes_count', '-', written) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('notes')
        .select((inner) => inner.ref('notes.issuable_id').$notNull().as('id'))
        .where('notes.author_id', '=', user_id)
        .where('notes.issuable_id', 'is not', null),
    )
    .execute()
  await tx.deleteFrom('notes').where('author_id', '=', user_id).execute()
}

export async function removeAwardsOfUser(tx: Db, user_id: number): Promise<void> {
  for (const [name, column] of [
    ['thumbsup', 'upvotes'],
    ['thumbsdown', 'downvotes'],
  ] as const) {
    await tx
      .updateTable('issuables')
      .set((eb) => ({ [column]: eb(column, '-', 1) }))
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('award_emojis')
          .select((inner) => inner.ref('award_emojis.issuable_id').$notNull().as('id'))
          .where('award_emojis.user_id', '=', user_id)
          .where('award_emojis.name', '=', name)
          .where('award_emojis.issuable_id', 'is not', null),
      )
      .execute()
  }
  await tx.deleteFrom('award_emojis').where('user_id', '=', user_id).execute()
}

export async function removeTimelogsOfUser(tx: Db, user_id: number): Promise<void> {
  const spent = sql<number>`(select sum(timelogs.spent_s) from timelogs
    where timelogs.issuable_id = issuables.id and timelogs.user_id = ${user_id})`
  await tx
    .updateTable('issuables')
    .set((eb) => ({ time_spent_s: eb('time_spent_s', '-', spent) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('timelogs')
        .select('timelogs.issuable_id')
        .where('timelogs.user_id', '=', user_id),
    )
    .execute()
  await tx.deleteFrom('timelogs').where('user_id', '=', user_id).execute()
}
