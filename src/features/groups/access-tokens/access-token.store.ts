import type { Insertable, Selectable } from 'kysely'
import type { AccessTokenBotTable, Db, PersonalAccessTokenTable } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'

/** The project or group of a token. */
export type AccessTokenOwner = { kind: 'project' | 'group'; id: number }

/** A token with the level and name of its bot. */
export type AccessToken = Selectable<PersonalAccessTokenTable> & {
  access_level: number
  bot_name: string
}

function tokensOf(db: Db, { kind, id }: AccessTokenOwner) {
  const column = kind === 'project' ? 'bot.project_id' : 'bot.namespace_id'
  return db
    .selectFrom('access_token_bots as bot')
    .innerJoin('personal_access_tokens as token', 'token.user_id', 'bot.user_id')
    .innerJoin('users', 'users.id', 'bot.user_id')
    .where('token.impersonation', '=', false)
    .where(column, '=', id)
}

/** Returns one page of the owner's tokens in the order of their creation. */
export async function listAccessTokens(
  db: Db,
  owner: AccessTokenOwner,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: AccessToken[]; total: number | undefined }> {
  const query = tokensOf(db, owner)
  const rows = await query
    .selectAll('token')
    .select(['bot.access_level', 'users.name as bot_name'])
    .orderBy('token.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('token.id')) }
}

export function findAccessToken(
  db: Db,
  owner: AccessTokenOwner,
  id: number,
): Promise<AccessToken | undefined> {
  return tokensOf(db, owner)
    .selectAll('token')
    .select(['bot.access_level', 'users.name as bot_name'])
    .where('token.id', '=', id)
    .executeTakeFirst()
}

/** Whether the owner has that many bots. */
export async function hasTokenBotsAtLeast(
  db: Db,
  { kind, id }: AccessTokenOwner,
  count: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('access_token_bots')
    .select('user_id')
    .where(kind === 'project' ? 'project_id' : 'namespace_id', '=', id)
    .orderBy('user_id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the user is the bot of a token. */
export async function isTokenBot(db: Db, user_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('access_token_bots')
    .select('user_id')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns those of the usernames that are taken. */
export async function findTakenUsernames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users')
    .select('username')
    .where(lowerCaseExpression('username'), 'in', names)
    .execute()
  return new Set(rows.map(({ username }) => username.toLowerCase()))
}

export async function insertTokenBot(tx: Db, bot: Insertable<AccessTokenBotTable>): Promise<void> {
  await tx.insertInto('access_token_bots').values(bot).execute()
}

/** Deletes a bot. Its tokens then belong to nobody. */
export async function deleteTokenBot(tx: Db, user_id: number): Promise<void> {
  await tx.deleteFrom('access_token_bots').where('user_id', '=', user_id).execute()
}

/** Returns the bots whose project or group was deleted. */
export function listOrphanedTokenBots(db: Db, limit: number): Promise<{ user_id: number }[]> {
  return db
    .selectFrom('access_token_bots')
    .select('user_id')
    .where('project_id', 'is', null)
    .where('namespace_id', 'is', null)
    .orderBy('user_id')
    .limit(limit)
    .execute()
}
