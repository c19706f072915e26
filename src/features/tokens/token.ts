// The public face of personal access tokens: who a token stands for.
import type { Selectable } from 'kysely'
import type { Actor, ActorUser, Scope } from '../../access/actor.ts'
import type { Db, PersonalAccessTokenTable } from '../../db/db.ts'
import { toJson } from '../../db/dialect.ts'
import { fixedQuery } from '../../db/fixed-query.ts'
import { type Clock, timestamp, today } from '../../kernel/clock.ts'
import { forbidden, invalidToken, notFound, unauthorized } from '../../kernel/errors.ts'
import { digestToken, newTokenText } from '../../kernel/ids.ts'
import { actorUserOf, findUserByIdOrName, standingProblem } from '../users/user.ts'

export type PersonalAccessToken = Selectable<PersonalAccessTokenTable>

type TokenWithUser = Pick<
  PersonalAccessToken,
  'id' | 'scopes' | 'revoked' | 'expires_at' | 'last_used_at'
> & {
  user: ActorUser
  standing: Parameters<typeof standingProblem>[0]
  last_activity_on: string | null
}

/** How stale `last_used_at` may be before it is written again. */
const use_interval_ms = 60_000

/**
 * The caller a token stands for. Throws the 401 of an unknown, expired or revoked token and the 403
 * of an account that may not be used. A token ends at 00:00 UTC of its `expires_at`.
 */
export async function authenticateToken(db: Db, clock: Clock, text: string): Promise<Actor> {
  const token = await findByText(db, text)
  if (!token) throw unauthorized()
  if (token.revoked) throw invalidToken('revoked')
  if (token.expires_at !== null && token.expires_at <= today(clock)) throw invalidToken('expired')
  const problem = standingProblem(token.standing, timestamp(clock))
  if (problem) throw forbidden(problem)
  await recordUse(db, clock, token)
  return { user: token.user, token: { id: token.id, scopes: token.scopes as Scope[] } }
}

/** The user an administrator acts as, under the administrator's token. */
export async function authenticateSudo(
  db: Db,
  clock: Clock,
  { idOrName, actor }: { idOrName: string; actor: Actor },
): Promise<Actor> {
  const user = await findUserByIdOrName(db, idOrName)
  if (!user) throw notFound(`User with ID or username '${idOrName}'`)
  const problem = standingProblem(user, timestamp(clock))
  if (problem) throw forbidden(problem)
  return { user: actorUserOf(user), token: actor.token }
}

function tokenQuery(db: Db, digest: string) {
  return db
    .selectFrom('personal_access_tokens as token')
    .innerJoin('users', 'users.id', 'token.user_id')
    .select([
      'token.id as token_id',
      'token.scopes',
      'token.revoked',
      'token.expires_at',
      'token.last_used_at',
      'users.id',
      'users.username',
      'users.name',
      'users.email',
      'users.commit_email',
      'users.is_admin',
      'users.external',
      'users.state',
      'users.confirmed_at',
      'users.password_expires_at',
      'users.last_activity_on',
    ])
    .where('token.digest', '=', digest)
}

type TokenRow = NonNullable<Awaited<ReturnType<ReturnType<typeof tokenQuery>['executeTakeFirst']>>>

const tokenByDigest = fixedQuery<TokenRow>((db) => tokenQuery(db, ''))

async function findByText(db: Db, text: string): Promise<TokenWithUser | undefined> {
  const row = await tokenByDigest(db, [digestToken(text)])
  if (!row) return undefined
  const { token_id, scopes, revoked, expires_at, last_used_at, last_activity_on, ...user } = row
  const { id, username, name, email, commit_email, is_admin, external, ...standing } = user
  return {
    id: token_id,
    scopes,
    revoked,
    expires_at,
    last_used_at,
    last_activity_on,
    user: { id, username, name, email, commit_email, is_admin, external },
    standing,
  }
}

async function recordUse(db: Db, clock: Clock, token: TokenWithUser): Promise<void> {
  const now = clock()
  const last_ms = token.last_used_at ? Date.parse(token.last_used_at) : 0
  if (now.getTime() - last_ms >= use_interval_ms) {
    await db
      .updateTable('personal_access_tokens')
      .set({ last_used_at: now.toISOString() })
      .where('id', '=', token.id)
      .execute()
  }
  if (token.last_activity_on !== today(clock)) {
    await db
      .updateTable('users')
      .set({ last_activity_on: today(clock) })
      .where('id', '=', token.user.id)
      .execute()
  }
}

/** Whether a token is one its user sees and ends; an impersonation token is an administrator's affair. */
export function isOwnToken(
  token: Pick<PersonalAccessToken, 'user_id' | 'impersonation'>,
  { user }: Actor,
): boolean {
  return token.user_id === user?.id && !token.impersonation
}

/** Stores a token's digest; `text` is what the client keeps and is never stored. */
export async function insertToken(
  db: Db,
  clock: Clock,
  token: {
    user_id: number
    name: string
    scopes: readonly Scope[]
    expires_at: string | null
    impersonation?: boolean
    text?: string
  },
): Promise<{ token: PersonalAccessToken; text: string }> {
  const { text = newTokenText(), scopes, ...fields } = token
  const inserted = await db
    .insertInto('personal_access_tokens')
    .values({
      ...fields,
      scopes: toJson(scopes),
      digest: digestToken(text),
      created_at: timestamp(clock),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { token: inserted, text }
}
