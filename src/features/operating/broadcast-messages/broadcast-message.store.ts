import type { Insertable, Selectable, Updateable } from 'kysely'
import { defineListLoader } from '../../../db/compiled-query.ts'
import type { BroadcastMessageTable, Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { limits } from '../../../kernel/limits.ts'

export type BroadcastMessage = Selectable<BroadcastMessageTable>

/** Returns one page of messages, newest first; `active` selects by whether they are shown at `now`. */
export async function listMessages(
  db: Db,
  { active, now }: { active: boolean | undefined; now: string },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: BroadcastMessage[]; total: number | undefined }> {
  const matching = db
    .selectFrom('broadcast_messages')
    .$if(active === true, (query) =>
      query.where('ends_at', '>=', now).where('starts_at', '<=', now),
    )
    .$if(active === false, (query) =>
      query.where((eb) => eb.or([eb('ends_at', '<', now), eb('starts_at', '>', now)])),
    )
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

/** Returns the messages that are shown now, newest first, without those that the user has dismissed. */
export function listActive(
  db: Db,
  { now, user_id }: { now: string; user_id: number | undefined },
): Promise<BroadcastMessage[]> {
  return db
    .selectFrom('broadcast_messages')
    .selectAll()
    .where('ends_at', '>=', now)
    .where('starts_at', '<=', now)
    .$if(user_id !== undefined, (query) =>
      query.where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('broadcast_dismissals')
              .select('user_id')
              .where('user_id', '=', user_id ?? 0)
              .whereRef('broadcast_message_id', '=', 'broadcast_messages.id'),
          ),
        ),
      ),
    )
    .orderBy('id', 'desc')
    .limit(limits.broadcast_messages.shown_max)
    .execute()
}

/** Returns the active banners without a target path, newest first. */
export const listBanners = defineListLoader((db, given: { now: string }) =>
  db
    .selectFrom('broadcast_messages')
    .select(['message', 'target_access_levels'])
    .where('ends_at', '>=', given.now)
    .where('starts_at', '<=', given.now)
    .where('broadcast_type', '=', 'banner')
    .where((eb) => eb.or([eb('target_path', 'is', null), eb('target_path', '=', '')]))
    .orderBy('id', 'desc')
    .limit(limits.broadcast_messages.shown_max),
)

export function findMessage(db: Db, id: number): Promise<BroadcastMessage | undefined> {
  return db.selectFrom('broadcast_messages').selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertMessage(
  tx: Db,
  row: Insertable<BroadcastMessageTable>,
): Promise<BroadcastMessage> {
  return tx.insertInto('broadcast_messages').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateMessage(
  tx: Db,
  id: number,
  changes: Updateable<BroadcastMessageTable>,
): Promise<BroadcastMessage> {
  return tx
    .updateTable('broadcast_messages')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteMessage(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('broadcast_messages').where('id', '=', id).execute()
}

/** Stores a dismissal. Safe to repeat. */
export async function insertDismissal(
  tx: Db,
  row: { user_id: number; broadcast_message_id: number; created_at: string },
): Promise<void> {
  await tx
    .insertInto('broadcast_dismissals')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
