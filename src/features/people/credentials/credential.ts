// The credential of a caller: authentication by token, which records a use, and reloading callers later, which records
// none. A push may take an hour, and its credential may have ended meanwhile.

import {
  type Actor,
  anonymous,
  type CredentialEndReason,
  withoutAdminRights,
} from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import {
  accountProblemTexts,
  actorUserFromUser,
  findCredentialEndOfAccount,
  findUser,
  type User,
} from '../../../subjects/user.ts'
import {
  authenticateOauthToken,
  reloadActorByOauthToken,
  reloadActorsByOauthTokens,
} from '../oauth/oauth-token.ts'
import {
  passwordStampOf,
  reloadActorBySession,
  reloadActorsBySessions,
} from '../sessions/session.ts'
import { findSshKeyHolderById } from '../ssh-keys/ssh-key.ts'
import {
  authenticatePersonalToken,
  reloadActorByToken,
  reloadActorsByTokens,
} from '../tokens/token.ts'

/** Returns the caller of a token, which is a user's own or one of an application. Throws 401 or 403 for an invalid one. */
export async function authenticateByToken(
  db: Db,
  clock: Clock,
  text: string,
  use?: { isRotation?: boolean },
): Promise<Actor> {
  return (
    (await authenticateOauthToken(db, clock, text)) ??
    authenticatePersonalToken(db, clock, text, use)
  )
}

/** A caller and their credential, by ids. */
export type ActorReference = {
  user: { id: number } | undefined
  token?: { id: number; kind?: 'oauth' } | undefined
  session?: { id: number }
  key?: { id: number }
  password?: { stamp: string }
  job?: Actor['job']
  isTask?: true
}

/** Reloads the caller. Returns why the credential has ended, if it has. */
export async function reloadActor(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  { user, token, session, key, password, job, isTask }: ActorReference,
): Promise<Actor | CredentialEndReason> {
  if (key) return reloadByKey({ db, clock }, key.id, user?.id)
  if (!user) return anonymous
  if (token) {
    const reload = token.kind === 'oauth' ? reloadActorByOauthToken : reloadActorByToken
    return reload(db, clock, { id: token.id, user_id: user.id })
  }
  if (job) return reloadByJob({ db, clock }, job, user.id)
  if (session) return reloadActorBySession(db, clock, session.id)
  if (isTask) return reloadOfTask({ db, clock }, user.id)
  if (!password)
    throw new Error(
      `The credential of user ${user.id} cannot be rechecked: no token, job, session or password, and no task.`,
    )
  const found = await findUser(db, user.id)
  const isSame = found && passwordStampOf(found) === password.stamp && !found.two_factor_enabled
  return isSame ? inGoodStanding({ user: found, clock }, { password }) : { kind: 'gone' }
}

/**
 * Reloads many callers with one query for each kind of credential, and returns them in their order. Only for callers
 * with a token, a session or no credential.
 */
export async function reloadActors(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  known: readonly ActorReference[],
): Promise<(Actor | CredentialEndReason)[]> {
  const reloaded = new Map<ActorReference, Actor | CredentialEndReason>()
  const reload = async (
    whose: readonly ActorReference[],
    ask: (whose: readonly ActorReference[]) => Promise<(Actor | CredentialEndReason)[]>,
  ) => {
    const found = whose.length === 0 ? [] : await ask(whose)
    for (const [at, one] of whose.entries()) reloaded.set(one, found[at] ?? { kind: 'gone' })
  }
  const tokens = known.filter(({ token }) => token !== undefined && token.kind !== 'oauth')
  const oauthTokens = known.filter(({ token }) => token?.kind === 'oauth')
  const sessions = known.filter(({ token, session }) => !token && session)
  await reload(tokens, (whose) => reloadActorsByTokens(db, clock, whose.map(heldToken)))
  await reload(oauthTokens, (whose) => reloadActorsByOauthTokens(db, clock, whose.map(heldToken)))
  await reload(sessions, (whose) =>
    reloadActorsBySessions(
      db,
      clock,
      whose.map(({ session }) => session?.id ?? 0),
    ),
  )
  return known.map((one) => reloaded.get(one) ?? (one.user ? { kind: 'gone' } : anonymous))
}

const heldToken = ({ token, user }: ActorReference) => ({
  id: token?.id ?? 0,
  user_id: user?.id ?? 0,
})

/**
 * Reloads the caller of an SSH key: its user, the creator of a deploy key, or without a user the deploy key
 * itself.
 */
async function reloadByKey(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  id: number,
  user_id: number | undefined,
): Promise<Actor | CredentialEndReason> {
  const holder = await findSshKeyHolderById(db, clock, id)
  const isTheirs = (holder?.key.user_id ?? holder?.key.created_by_id) === user_id
  if (user_id === undefined && holder?.key.user_id === null) {
    return holder.problem
      ? { kind: 'barred', text: accountProblemTexts[holder.problem] }
      : holder.actor
  }
  const user = holder && isTheirs ? await findUser(db, user_id ?? 0) : undefined
  return user ? inGoodStanding({ user, clock }, { key: { id } }) : { kind: 'gone' }
}

/** Reloads the caller of a job token, which is valid while the job runs. */
async function reloadByJob(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  job: NonNullable<Actor['job']>,
  user_id: number,
): Promise<Actor | CredentialEndReason> {
  const running = await db
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', job.id)
    .where('user_id', '=', user_id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  const user = running && (await findUser(db, user_id))
  return user ? inGoodStanding({ user, clock }, { job }) : { kind: 'gone' }
}

/** Reloads the user that a task acts for. The task may act for the user as long as the account may be used. */
async function reloadOfTask(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  user_id: number,
): Promise<Actor | CredentialEndReason> {
  const user = await findUser(db, user_id)
  return user ? inGoodStanding({ user, clock }, { isTask: true }) : { kind: 'gone' }
}

function inGoodStanding(
  { user, clock }: { user: User; clock: Clock },
  by: Pick<Actor, 'key' | 'password' | 'job' | 'isTask'>,
): Actor | CredentialEndReason {
  const end = findCredentialEndOfAccount(user, timestamp(clock))
  if (end) return end
  const found = actorUserFromUser(user)
  return { user: by.job ? withoutAdminRights(found) : found, token: undefined, ...by }
}
