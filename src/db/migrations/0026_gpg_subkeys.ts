import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('gpg_subkeys')
    .addColumn('id', id.type, id.build)
    .addColumn('gpg_key_id', 'bigint', (c) =>
      c.notNull().references('gpg_keys.id').onDelete('cascade'),
    )
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('keyid', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('gpg_subkeys_key')
    .unique()
    .on('gpg_subkeys')
    .columns(['gpg_key_id', 'fingerprint'])
    .execute()
  await db.schema.createIndex('gpg_subkeys_keyid').on('gpg_subkeys').column('keyid').execute()
  await db.schema
    .createIndex('gpg_keys_primary_keyid')
    .on('gpg_keys')
    .column('primary_keyid')
    .execute()
  await addSubkeysOfKnownKeys(db)
}

/** The signing subkeys of the keys users have added before, as many of each as are read from a new one. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
async function addSubkeysOfKnownKeys(db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ id: number; key: string }>`select id, key from gpg_keys`.execute(db)
  if (rows.length === 0) return
  const { readKey } = await import('openpgp')
  for (const row of rows) {
    // A key that a newer library refuses keeps no server from starting.
    const key = await readKey({ armoredKey: row.key }).catch(() => undefined)
    for (const subkey of key?.getSubkeys().slice(0, 30) ?? []) {
      const signing = await key?.getSigningKey(subkey.getKeyID(), null).catch(() => undefined)
      if (signing !== subkey) continue
      const fingerprint = subkey.getFingerprint().toUpperCase()
      const keyid = subkey.getKeyID().toHex().toUpperCase()
      await db
        .insertInto('gpg_subkeys')
        .values({ gpg_key_id: row.id, fingerprint, keyid })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  gpg_subkeys: {
    note: 'Subkeys of a GPG key that may sign. Fingerprint and id are in upper-case hex.',
  },
}
