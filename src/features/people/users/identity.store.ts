import type { Selectable } from 'kysely'
import type { Db, IdentityTable } from '../../../db/db.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'

export type Identity = Selectable<IdentityTable>

export function findIdentity(
  db: Db,
  userId: number,
  provider: string,
): Promise<Identity | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
}

/** Sets a user's identity at a provider; returns false if another user has it. */
export async function upsertIdentity(
  tx: Db,
  identity: Pick<Identity, 'user_id' | 'provider' | 'extern_uid' | 'saml_provider_id'>,
  now: string,
): Promise<boolean> {
  const { extern_uid, saml_provider_id } = identity
  try {
    await tx
      .insertInto('identities')
      .values({ ...identity, created_at: now, updated_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'provider'])
          .doUpdateSet({ extern_uid, saml_provider_id, updated_at: now }),
      )
      .execute()
    return true
  } catch (error) {
    if (findViolatedIndex(error) === undefined) throw error
    return false
  }
}

export async function deleteIdentity(db: Db, id: number): Promise<void> {
  await db.deleteFrom('identities').where('id', '=', id).execute()
}

/** Returns the id of a group, which is the provider of its members' SAML identities; null if it does not exist. */
export async function findExistingSamlGroupId(db: Db, group_id: number): Promise<number | null> {
  const group = await db
    .selectFrom('namespaces')
    .select('id')
    .where('id', '=', group_id)
    .where('kind', '=', 'group')
    .where('state', '=', 'ready')
    .executeTakeFirst()
  return group?.id ?? null
}
