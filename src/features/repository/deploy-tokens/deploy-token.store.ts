import type { Insertable, Selectable, SqlBool } from 'kysely'
import { parentNotExpiredCondition } from '../../../access/parent-not-expired-condition.ts'
import type { Db, DeployTokenTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { utcDayOf } from '../../../kernel/clock.ts'

/** `is_in_force` says, if it was requested, whether the token that created this one is still valid. */
export type DeployToken = Selectable<DeployTokenTable> & { is_in_force?: SqlBool }

const isInForce = (now: string) => parentNotExpiredCondition('deploy_tokens', utcDayOf(now))
export type DeployTokenOwner = { kind: 'project' | 'group'; id: number }

function tokensOf(db: Db, { kind, id }: DeployTokenOwner) {
  return db
    .selectFrom('deploy_tokens')
    .where(kind === 'project' ? 'project_id' : 'namespace_id', '=', id)
}

/** Returns one page of the tokens of one owner or of all, in the order of their creation. */
export async function listDeployTokens(
  db: Db,
  { owner, isActive, now }: { owner?: DeployTokenOwner; isActive?: boolean; now: string },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: DeployToken[]; total: number | undefined }> {
  let query = owner ? tokensOf(db, owner) : db.selectFrom('deploy_tokens')
  if (isActive === true) {
    query = query
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .where(isInForce(now))
  }
  if (isActive === false) {
    query = query.where((eb) => eb.or([eb('expires_at', '<=', now), eb.not(isInForce(now))]))
  }
  const rows = await query
    .selectAll()
    .select(isInForce(now).as('is_in_force'))
    .orderBy('id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

export function findDeployToken(
  db: Db,
  owner: DeployTokenOwner,
  { id, now }: { id: number; now: string },
): Promise<DeployToken | undefined> {
  return tokensOf(db, owner)
    .selectAll()
    .select(isInForce(now).as('is_in_force'))
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Whether the owner has that many tokens. */
export async function hasDeployTokensAtLeast(
  db: Db,
  owner: DeployTokenOwner,
  count: number,
): Promise<boolean> {
  const row = await tokensOf(db, owner)
    .select('id')
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Inserts a token. Without a user name it is named after its id. */
export async function insertDeployToken(
  tx: Db,
  { username, ...token }: Omit<Insertable<DeployTokenTable>, 'username'> & { username?: string },
): Promise<DeployToken> {
  const row = await tx
    .insertInto('deploy_tokens')
    .values({ ...token, username: username ?? '' })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (username !== undefined) return row
  return tx
    .updateTable('deploy_tokens')
    .set({ username: `gitlab+deploy-token-${row.id}` })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteDeployToken(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('deploy_tokens').where('id', '=', id).execute()
}
