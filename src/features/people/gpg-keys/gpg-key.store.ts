import type { Insertable, Selectable } from 'kysely'
import type { Db, GpgKeyTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type GpgKey = Selectable<GpgKeyTable>

/** Returns one page of a user's keys in the order they were added. */
export async function listGpgKeys(
  db: Db,
  user_id: number,
  page: { offset: number; per_page: number },
): Promise<{ rows: GpgKey[]; total: number | undefined }> {
  const query = db.selectFrom('gpg_keys').where('user_id', '=', user_id)
  const rows = await query
    .selectAll()
    .orderBy('id')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

/** Returns a key by id if it belongs to that user. */
export function findGpgKey(
  db: Db,
  { user_id, id }: { user_id: number; id: number },
): Promise<GpgKey | undefined> {
  return db
    .selectFrom('gpg_keys')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export type Subkey = { fingerprint: string; keyid: string }

/** Inserts a key with its signing subkeys; returns undefined if a user has it already. */
export async function insertGpgKey(
  tx: Db,
  key: Insertable<GpgKeyTable>,
  subkeys: readonly Subkey[],
): Promise<GpgKey | undefined> {
  const added = await tx
    .insertInto('gpg_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (added && subkeys.length > 0) {
    const rows = subkeys.map((subkey) => ({ gpg_key_id: added.id, ...subkey }))
    await tx.insertInto('gpg_subkeys').values(rows).execute()
  }
  return added
}

export async function deleteGpgKey(db: Db, id: number): Promise<void> {
  await db.deleteFrom('gpg_keys').where('id', '=', id).execute()
}
