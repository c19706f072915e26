// Public functions of personal access tokens: authenticates their callers.

import type { Selectable } from 'kysely'
import type { Actor, CredentialEndReason, TokenScope } from '../../../access/actor.ts'
import { credentialRefusal } from '../../../access/credential-refusal.ts'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db, PersonalAccessTokenTable } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { type Clock, timestamp, today, utcDayOf } from '../../../kernel/clock.ts'
import { notFound } from '../../../kernel/errors.ts'
import { digestToken, newPersonalTokenText } from '../../../kernel/ids.ts'
import {
  actorUserFromUser,
  ensureAccountUsable,
  findCredentialEndOfAccount,
  findUser,
  findUserByIdOrName,
} from '../../../subjects/user.ts'
import {
  type AuditEntity,
  type AuditSource,
  recordAuditEvent,
} from '../../basics/audit-events/audit-event.ts'

export type PersonalAccessToken = Selectable<PersonalAccessTokenTable>

/** The minimum interval between writes of `last_used_at`. */
const use_interval_ms = 60_000

/**
 * Returns the caller of a token. Throws 401 for an unknown, expired or revoked token and 403 for an account that may not
 * be used. A token expires at 00:00 UTC of its `expires_at`. If a revoked token is used for a rotation, the tokens that
 * replaced it are revoked too.
 */
export async function authenticatePersonalToken(
  db: Db,
  clock: Clock,
  text: string,
  { isRotation = false }: { isRotation?: boolean } = {},
): Promise<Actor> {
  const row = await tokenByDigest(db, { digest: digestToken(text) })
  if (!row) throw credentialRefusal({ kind: 'gone' })
  const now = timestamp(clock)
  const end = endOf(row, now)
  if (end?.kind === 'revoked' && isRotation) await revokeRotatedTokens(db, row.token_id)
  if (end) throw credentialRefusal(end)
  await recordUse(db, row, now)
  return actorOf(row)
}

/** Reloads the caller of a token. `user_id` differs from the token's own user if an administrator acts as somebody. */
export async function reloadActorByToken(
  db: Db,
  clock: Clock,
  { id, user_id }: { id: number; user_id: number },
): Promise<Actor | CredentialEndReason> {
  return reloaded(db, await tokenById(db, { id }), { user_id, now: timestamp(clock) })
}

/** Reloads the callers of many tokens with one query, in their order. */
export async function reloadActorsByTokens(
  db: Db,
  clock: Clock,
  known: readonly { id: number; user_id: number }[],
): Promise<(Actor | CredentialEndReason)[]> {
  const ids = known.map(({ id }) => id)
  const rows = await tokenQuery(db).where('token.id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.token_id, row]))
  const now = timestamp(clock)
  return Promise.all(known.map(({ id, user_id }) => reloaded(db, byId.get(id), { user_id, now })))
}

async function reloaded(
  db: Db,
  row: TokenRow | undefined,
  { user_id, now }: { user_id: number; now: string },
): Promise<Actor | CredentialEndReason> {
  if (!row) return { kind: 'gone' }
  const end = endOf(row, now)
  if (end) return end
  const holder = actorOf(row)
  if (row.id === user_id) return holder
  const user = row.is_admin ? await findUser(db, user_id) : undefined
  if (!user) return { kind: 'gone' }
  return (
    findCredentialEndOfAccount(user, now) ?? { user: actorUserFromUser(user), token: holder.token }
  )
}

function endOf(row: TokenRow, now: string) {
  if (row.revoked) return { kind: 'revoked' } as const
  const isExpired = row.expires_at !== null && row.expires_at <= utcDayOf(now)
  if (isExpired) return { kind: 'expired' } as const
  return findCredentialEndOfAccount(row, now)
}

function actorOf(row: TokenRow): Actor {
  const { id, username, name, email, commit_email, is_admin, external } = row
  return {
    user: { id, username, name, email, commit_email, is_admin, external },
    token: { id: row.token_id, scopes: row.scopes as TokenScope[] },
  }
}

/** The requests whose use of `sudo` was recorded. The actor of a request with a long body is resolved several times. */
const recordedRequests = new WeakSet<object>()

/** The user that an administrator acts as, and the request: `path` is the endpoint's, `raw` identifies the request. */
export type SudoRequest = {
  idOrName: string
  actor: Actor
  request: { ip: string; method: string; path: string; raw: object }
}

/**
 * Returns the user that an administrator acts as, with the administrator's token. Records an audit event at once, since
 * the operation may still be refused: for each write, and once a day for reads.
 */
export async function authenticateSudo(
  db: Db,
  clock: Clock,
  { idOrName, actor, request }: SudoRequest,
): Promise<Actor> {
  const user = await findUserByIdOrName(db, idOrName)
  if (!user) throw notFound(`User with ID or username '${idOrName}'`)
  ensureAccountUsable(user, timestamp(clock))
  const { raw } = request
  if (!recordedRequests.has(raw)) await recordSudo(db, clock, { actor, request, user_id: user.id })
  recordedRequests.add(raw)
  return {
    user: actorUserFromUser(user),
    token: actor.token,
    ...(actor.user ? { administrator: actor.user } : {}),
  }
}

async function recordSudo(
  db: Db,
  clock: Clock,
  { actor, request, user_id }: Omit<SudoRequest, 'idOrName'> & { user_id: number },
): Promise<void> {
  const { user } = actor
  const { ip, method, path } = request
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && (await hasSudoToday(db, clock, { author_id: user?.id ?? 0, user_id }))) return
  const source = { db, clock, actor: { user }, request: { ip } }
  const entity = { kind: 'user', id: user_id } as const
  await recordAuditEvent(source, {
    action: 'sudo_used',
    entity,
    details: { request: `${method} ${path}` },
  })
}

async function hasSudoToday(
  db: Db,
  clock: Clock,
  { author_id, user_id }: { author_id: number; user_id: number },
): Promise<boolean> {
  const told = await db
    .selectFrom('audit_events')
    .select('id')
    .where('author_id', '=', author_id)
    .where('created_at', '>=', `${today(clock)}T00:00:00.000Z`)
    .where('action', '=', 'sudo_used')
    .where('entity_id', '=', user_id)
    .limit(1)
    .executeTakeFirst()
  return told !== undefined
}

function tokenQuery(db: Db) {
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
}

type TokenRow = NonNullable<Awaited<ReturnType<ReturnType<typeof tokenQuery>['executeTakeFirst']>>>

const tokenByDigest = defineRowLoader((db, { digest }: { digest: string }) =>
  tokenQuery(db).where('token.digest', '=', digest),
)
const tokenById = defineRowLoader((db, { id }: { id: number }) =>
  tokenQuery(db).where('token.id', '=', id),
)

async function recordUse(db: Db, row: TokenRow, now: string): Promise<void> {
  const { token_id, last_used_at } = row
  if (last_used_at === null || Date.parse(now) - Date.parse(last_used_at) >= use_interval_ms) {
    await db
      .updateTable('personal_access_tokens')
      .set({ last_used_at: now })
      .where('id', '=', token_id)
      .execute()
  }
  if (row.last_activity_on !== utcDayOf(now)) {
    await db
      .updateTable('users')
      .set({ last_activity_on: utcDayOf(now) })
      .where('id', '=', row.id)
      .execute()
  }
}

/** Whether a token is visible to its user. Impersonation tokens are visible only to administrators. */
export function isOwnPersonalToken(
  token: Pick<PersonalAccessToken, 'user_id' | 'impersonation'>,
  { user }: Actor,
): boolean {
  return token.user_id === user?.id && !token.impersonation
}

/** Revokes a token and every token that was created with it, directly or indirectly. They stay in lists. */
export async function revokePersonalToken(db: Db, id: number): Promise<void> {
  await db
    .updateTable('personal_access_tokens')
    .set({ revoked: true })
    .where('id', '=', id)
    .execute()
  await revokeTokensMadeWithToken(db, id)
}

/** Revokes all tokens that were created with a token, directly or indirectly. */
export async function revokeTokensMadeWithToken(db: Db, id: number): Promise<void> {
  // Repeated until no token is left: a token may create another one while the statement waits for its row.
  while ((await revokeThoseMadeWith(db, id)) > 0n);
}

async function revokeThoseMadeWith(db: Db, id: number): Promise<bigint> {
  const { numUpdatedRows } = await db
    .withRecursive('made(id)', (query) =>
      query
        .selectFrom('personal_access_tokens')
        .select('id')
        .where('parent_id', '=', id)
        .unionAll(
          query
            .selectFrom('personal_access_tokens as child')
            .innerJoin('made', 'made.id', 'child.parent_id')
            .select('child.id'),
        ),
    )
    .updateTable('personal_access_tokens')
    .set({ revoked: true })
    .where('revoked', '=', false)
    .where('id', 'in', (query) => query.selectFrom('made').select('made.id'))
    .executeTakeFirstOrThrow()
  return numUpdatedRows
}

/** Revokes all tokens that replaced a token by rotation, and those created with them. */
export async function revokeRotatedTokens(db: Db, id: number): Promise<void> {
  await db
    .withRecursive('family(id)', (query) =>
      query
        .selectFrom('personal_access_tokens')
        .select('id')
        .where('rotated_from_id', '=', id)
        .unionAll(
          query
            .selectFrom('personal_access_tokens as next')
            .innerJoin('family', (join) =>
              join.on((eb) =>
                eb.or([
                  eb('family.id', '=', eb.ref('next.rotated_from_id')),
                  eb('family.id', '=', eb.ref('next.parent_id')),
                ]),
              ),
            )
            .select('next.id'),
        ),
    )
    .updateTable('personal_access_tokens')
    .set({ revoked: true })
    .where('revoked', '=', false)
    .where('id', 'in', (query) => query.selectFrom('family').select('family.id'))
    .execute()
}

/**
 * Records that a token was created or revoked, as an event of its user or of its project or group. It never contains the
 * token's text.
 */
export async function recordTokenAuditEvent(
  source: AuditSource,
  action: 'token_created' | 'token_revoked',
  { id, name, user_id, scopes, expires_at, impersonation }: PersonalAccessToken,
  entity: AuditEntity = { kind: 'user', id: user_id },
): Promise<void> {
  await recordAuditEvent(source, {
    action,
    entity,
    target: { kind: 'token', id, name },
    details: { scopes, expires_at, impersonation },
  })
}

/** Stores a token's digest. `text` is only for the client and is never stored. */
export async function insertPersonalToken(
  db: Db,
  clock: Clock,
  token: {
    user_id: number
    name: string
    scopes: readonly TokenScope[]
    expires_at: string | null
    impersonation?: boolean
    parent_id?: number | null
    rotated_from_id?: number
    text?: string
  },
): Promise<{ token: PersonalAccessToken; text: string }> {
  const { text = newPersonalTokenText(), scopes, ...fields } = token
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
