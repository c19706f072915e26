import type { Updateable } from 'kysely'
import type { Db, UserTable } from '../../../db/db.ts'

type TwoFactorFields = Pick<
  Updateable<UserTable>,
  'two_factor_enabled' | 'two_factor_secret' | 'two_factor_last_step'
>

export async function updateTwoFactorFields(
  db: Db,
  user_id: number,
  fields: TwoFactorFields,
): Promise<void> {
  await db.updateTable('users').set(fields).where('id', '=', user_id).execute()
}

/** Records that a code of this time step was used. Returns false if it, or a later one, was used before. */
export async function consumeTotpTimeStep(db: Db, user_id: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ two_factor_last_step: step })
    .where('id', '=', user_id)
    .where((eb) =>
      eb.or([eb('two_factor_last_step', 'is', null), eb('two_factor_last_step', '<', step)]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a recovery code; returns false if the user has none with this digest. */
export async function deleteRecoveryCode(
  db: Db,
  user_id: number,
  digest: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('two_factor_recovery_codes')
    .where('user_id', '=', user_id)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function replaceRecoveryCodes(
  db: Db,
  user_id: number,
  digests: readonly string[],
): Promise<void> {
  await db.deleteFrom('two_factor_recovery_codes').where('user_id', '=', user_id).execute()
  if (digests.length === 0) return
  await db
    .insertInto('two_factor_recovery_codes')
    .values(digests.map((digest) => ({ user_id, digest })))
    .execute()
}
