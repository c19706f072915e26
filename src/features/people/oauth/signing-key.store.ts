import type { Selectable } from 'kysely'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db, SigningKeyTable } from '../../../db/db.ts'

export type StoredSigningKey = Selectable<SigningKeyTable>

const keyByPurpose = defineRowLoader((db, { purpose }: { purpose: string }) =>
  db.selectFrom('signing_keys').selectAll().where('purpose', '=', purpose),
)

export function findSigningKey(db: Db, purpose: string): Promise<StoredSigningKey | undefined> {
  return keyByPurpose(db, { purpose })
}

/** Inserts a key, unless another node has inserted one before; then that one is used. */
export async function insertSigningKeyIfMissing(
  db: Db,
  key: Omit<StoredSigningKey, 'id'>,
): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute()
}
