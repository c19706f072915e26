import type { Insertable } from 'kysely'
import type { AcmeAccountTable, Db, PagesChallengeTable } from '../../../db/db.ts'

export async function findAcmeAccountKey(db: Db, directory: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('acme_accounts')
    .select('key')
    .where('directory', '=', directory)
    .executeTakeFirst()
  return row?.key
}

/** Inserts the account unless another server has. Returns the encrypted key that is valid from then on. */
export async function insertAcmeAccountIfMissing(
  db: Db,
  account: Insertable<AcmeAccountTable>,
): Promise<string> {
  await db
    .insertInto('acme_accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('directory').doNothing())
    .execute()
  return (await findAcmeAccountKey(db, account.directory)) ?? account.key
}

/** Inserts a challenge; if the authority requests the same one again, its response is replaced. */
export async function insertAcmeChallenge(
  db: Db,
  challenge: Insertable<PagesChallengeTable>,
): Promise<void> {
  const { domain_id, answer } = challenge
  await db
    .insertInto('pages_challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.column('token').doUpdateSet({ domain_id, answer }))
    .execute()
}

export async function deleteAcmeChallenge(db: Db, token: string): Promise<void> {
  await db.deleteFrom('pages_challenges').where('token', '=', token).execute()
}

/** Deletes old challenges, which interrupted tasks left. */
export async function deleteAcmeChallengesBefore(db: Db, before: string): Promise<void> {
  await db.deleteFrom('pages_challenges').where('created_at', '<', before).execute()
}
