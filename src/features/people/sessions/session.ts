// Public functions of sessions: authenticates browsers by their cookie, and ends sessions.
import type { Actor, ActorUser, CredentialEndReason } from '../../../access/actor.ts'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp, today } from '../../../kernel/clock.ts'
import { digestToken, randomText } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  ensureAccountUsable,
  findCredentialEndOfAccount,
  isPasswordExpired,
  type User,
} from '../../../subjects/user.ts'
import {
  deleteImpersonations,
  deleteOldestSessions,
  insertSession,
  type Session,
  updateSession,
} from './session.store.ts'

/** The minimum interval between writes of `last_used_at`. */
const use_interval_ms = 60_000

/**
 * Returns the caller of a session cookie; undefined for an unknown or ended session. Throws 403 for an account that may
 * not be used. An expired password is accepted if `allowsExpiredPassword`, so that the user can choose a new one.
 */
export async function authenticateSession(
  db: Db,
  clock: Clock,
  cookie: string,
  request: { ip: string; allowsExpiredPassword: boolean },
): Promise<Actor | undefined> {
  const row = await sessionByDigest(db, { digest: digestToken(cookie) })
  const now = timestamp(clock)
  if (!row || hasEnded(row, now)) return undefined
  if (row.impersonator_session_id !== null)
    return authenticateImpersonation(db, clock, row, request.ip)
  const isExcused = request.allowsExpiredPassword && isPasswordExpired(row, now)
  ensureAccountUsable(isExcused ? { ...row, password_expires_at: null } : row, now)
  await recordUse(db, clock, row, request.ip)
  return actorOf(row)
}

/**
 * Returns the caller of an impersonation, which ends with the rights of the administrator and with the impersonated
 * account.
 */
async function authenticateImpersonation(
  db: Db,
  clock: Clock,
  row: SessionRow,
  ip: string,
): Promise<Actor | undefined> {
  const [actor] = await reload(db, clock, [row])
  if (!actor || 'kind' in actor) return undefined
  await extendSession(db, clock, row, ip)
  return actor
}

/** Reloads the caller of a session. */
export async function reloadActorBySession(
  db: Db,
  clock: Clock,
  id: number,
): Promise<Actor | CredentialEndReason> {
  const [actor] = await reload(db, clock, [await sessionById(db, { id })])
  return actor ?? { kind: 'gone' }
}

/** Reloads the callers of many sessions with one query, in the same order. */
export async function reloadActorsBySessions(
  db: Db,
  clock: Clock,
  ids: readonly number[],
): Promise<(Actor | CredentialEndReason)[]> {
  const rows = await sessionQuery(db).where('session.id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.session_id, row]))
  return reload(
    db,
    clock,
    ids.map((id) => byId.get(id)),
  )
}

/**
 * Returns the callers of the sessions, in the same order. Needs a second query if administrators impersonate
 * some of them.
 */
async function reload(
  db: Db,
  clock: Clock,
  rows: readonly (SessionRow | undefined)[],
): Promise<(Actor | CredentialEndReason)[]> {
  const now = timestamp(clock)
  const own_ids = rows.flatMap((row) => row?.impersonator_session_id ?? [])
  const own =
    own_ids.length === 0 ? [] : await sessionQuery(db).where('session.id', 'in', own_ids).execute()
  const impersonators = new Map(
    own
      .filter((row) => row.is_admin && !hasEnded(row, now) && !findCredentialEndOfAccount(row, now))
      .map((row) => [row.session_id, userOf(row)]),
  )
  return rows.map((row) => {
    if (!row || hasEnded(row, now)) return { kind: 'gone' }
    const impersonator = impersonators.get(row.impersonator_session_id ?? 0)
    if (row.impersonator_session_id !== null && !impersonator) return { kind: 'gone' }
    return findCredentialEndOfAccount(row, now) ?? actorOf(row, impersonator)
  })
}

function hasEnded(row: SessionRow, now: string): boolean {
  return row.expires_at <= now || row.password_stamp !== passwordStampOf(row)
}

function actorOf(row: SessionRow, administrator?: ActorUser): Actor {
  const { session_id: id, impersonator_session_id } = row
  const base = { user: userOf(row), token: undefined }
  if (!administrator || impersonator_session_id === null) return { ...base, session: { id } }
  return { ...base, administrator, session: { id, impersonator_session_id } }
}

function userOf(row: SessionRow): ActorUser {
  const { id, username, name, email, commit_email, is_admin, external } = row
  return { id, username, name, email, commit_email, is_admin, external }
}

function sessionQuery(db: Db) {
  return db
    .selectFrom('sessions as session')
    .innerJoin('users', 'users.id', 'session.user_id')
    .select([
      'session.id as session_id',
      'session.password_stamp',
      'session.last_used_at',
      'session.expires_at',
      'session.ip',
      'session.impersonator_session_id',
      'users.id',
      'users.username',
      'users.name',
      'users.email',
      'users.commit_email',
      'users.is_admin',
      'users.external',
      'users.state',
      'users.confirmed_at',
      'users.password_digest',
      'users.password_expires_at',
      'users.last_activity_on',
    ])
}

type SessionRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof sessionQuery>['executeTakeFirst']>>
>

const sessionByDigest = defineRowLoader((db, { digest }: { digest: string }) =>
  sessionQuery(db).where('session.digest', '=', digest),
)
const sessionById = defineRowLoader((db, { id }: { id: number }) =>
  sessionQuery(db).where('session.id', '=', id),
)

/** Extends a session, as each use does. The row is written once a minute, and when the IP address changes. */
async function extendSession(db: Db, clock: Clock, row: SessionRow, ip: string): Promise<void> {
  const now_ms = clock().getTime()
  if (now_ms - Date.parse(row.last_used_at) < use_interval_ms && row.ip === ip) return
  await db
    .updateTable('sessions')
    .set({ last_used_at: timestamp(clock), expires_at: expiry(clock), ip })
    .where('id', '=', row.session_id)
    .execute()
}

/** Extends a session and records the day as one on which the user was active. */
async function recordUse(db: Db, clock: Clock, row: SessionRow, ip: string): Promise<void> {
  await extendSession(db, clock, row, ip)
  if (row.last_activity_on !== today(clock)) {
    await db
      .updateTable('users')
      .set({ last_activity_on: today(clock) })
      .where('id', '=', row.id)
      .execute()
  }
}

function expiry(clock: Clock): string {
  return new Date(clock().getTime() + limits.sign_in.session_ms).toISOString()
}

/** Returns the value of a password that sessions store, so that they end when the password changes. */
export function passwordStampOf({ password_digest }: Pick<User, 'password_digest'>): string {
  return digestToken(password_digest ?? '')
}

type SessionRequest = { ip: string; user_agent: string }

/** Creates a session. `cookie` is only for the browser and is never stored. */
export async function createSession(
  db: Db,
  clock: Clock,
  user: User,
  request: SessionRequest,
): Promise<{ session: Session; cookie: string }> {
  const { cookie, row } = newSession(clock, user, request)
  const session = await insertSession(db, row)
  await deleteOldestSessions(db, user.id, limits.sign_in.sessions_max)
  return { session, cookie }
}

function newSession(clock: Clock, user: User, { ip, user_agent }: SessionRequest) {
  const cookie = randomText(43)
  const now = timestamp(clock)
  const row = {
    user_id: user.id,
    digest: digestToken(cookie),
    password_stamp: passwordStampOf(user),
    ip,
    user_agent: user_agent.slice(0, limits.sign_in.user_agent_characters),
    created_at: now,
    last_used_at: now,
    expires_at: expiry(clock),
  }
  return { cookie, row }
}

/**
 * Starts a session in which an administrator impersonates a user, and ends a previous one. `session_id` is the
 * administrator's own session.
 */
export async function startImpersonation(
  tx: Db,
  clock: Clock,
  user: User,
  { session_id, ...request }: SessionRequest & { session_id: number },
): Promise<{ cookie: string }> {
  const { cookie, row } = newSession(clock, user, request)
  await deleteImpersonations(tx, session_id)
  await insertSession(tx, { ...row, impersonator_session_id: session_id })
  return { cookie }
}

/** Ends an impersonation and gives the administrator's own session, `session_id`, a new cookie. */
export async function endImpersonation(
  tx: Db,
  clock: Clock,
  { session_id, ip }: { session_id: number; ip: string },
): Promise<{ cookie: string }> {
  const cookie = randomText(43)
  await deleteImpersonations(tx, session_id)
  await updateSession(tx, session_id, {
    digest: digestToken(cookie),
    last_used_at: timestamp(clock),
    expires_at: expiry(clock),
    ip,
  })
  return { cookie }
}

/** Returns when the user signed in; undefined for an ended session. */
export async function findSessionStartTime(db: Db, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('created_at')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.created_at
}

/** Ends all sessions of a user except the one of the request. */
export async function removeOtherSessions(
  db: Db,
  user_id: number,
  { except }: { except?: number } = {},
): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', user_id)
  if (except !== undefined) query = query.where('id', '!=', except)
  await query.execute()
}

/** Ends one of a user's own sessions; returns false if there is none with that id. */
export async function removeSession(
  db: Db,
  { user_id, id }: { user_id: number; id: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function updateSessionPasswordStamp(
  db: Db,
  { id, password_stamp }: { id: number; password_stamp: string },
): Promise<void> {
  await db.updateTable('sessions').set({ password_stamp }).where('id', '=', id).execute()
}

/** Returns the number of a user's sessions. */
export async function countSessions(db: Db, user_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return count
}
