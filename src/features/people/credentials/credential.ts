// Whether what a caller came by still stands for them, asked anew long after it was first asked: a push
// may take an hour, and what it was let in by may have ended meanwhile. Reads, and notes no use.
import { type Actor, anonymous, type CredentialEnd } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { actorUserOf, findUser, standingProblem, type User } from '../../../subjects/user.ts'
import { authenticateOauthToken, renewByOauthToken } from '../oauth/oauth-token.ts'
import { passwordStamp, renewBySession } from '../sessions/session.ts'
import { findKey } from '../ssh-keys/ssh-key.ts'
import { authenticateToken, renewByToken } from '../tokens/token.ts'

/**
 * The caller a token stands for, of a user's own or one that an application was given. Throws the 401 and 403
 * of those that do not.
 */
export async function authenticateByToken(
  db: Db,
  clock: Clock,
  text: string,
  use?: { isRotation?: boolean },
): Promise<Actor> {
  return (await authenticateOauthToken(db, clock, text)) ?? authenticateToken(db, clock, text, use)
}

/** Whom a caller was taken for, and what they came by. */
export type Known = {
  user: { id: number } | undefined
  token?: { id: number; kind?: 'oauth' } | undefined
  session?: { id: number }
  key?: { id: number }
  password?: { stamp: string }
  job?: Actor['job']
}

/** The caller as they are now, or why they are nobody any more. */
export async function renewActor(
  { db, clock }: { db: Db; clock: Clock },
  { user, token, session, key, password, job }: Known,
): Promise<Actor | CredentialEnd> {
  if (key) return renewByKey({ db, clock }, key.id, user?.id)
  if (!user) return anonymous
  if (token) {
    const renew = token.kind === 'oauth' ? renewByOauthToken : renewByToken
    return renew(db, clock, { id: token.id, user_id: user.id })
  }
  if (job) return renewByJob({ db, clock }, job, user.id)
  if (session) return renewBySession(db, clock, session.id)
  if (!password) throw new Error('A caller came by nothing that can be asked again.')
  const found = await findUser(db, user.id)
  const isSame = found && passwordStamp(found) === password.stamp && !found.two_factor_enabled
  return isSame ? inGoodStanding({ user: found, clock }, { password }) : { kind: 'gone' }
}

/** By a user's own key, or as the maker of a deploy key; without a user, as that deploy key itself. */
async function renewByKey(
  { db, clock }: { db: Db; clock: Clock },
  id: number,
  user_id: number | undefined,
): Promise<Actor | CredentialEnd> {
  const holder = await findKey(db, clock, id)
  const isTheirs = (holder?.key.user_id ?? holder?.key.created_by_id) === user_id
  if (user_id === undefined && holder?.key.user_id === null) {
    return holder.problem ? { kind: 'barred', text: holder.problem } : holder.actor
  }
  const user = holder && isTheirs ? await findUser(db, user_id ?? 0) : undefined
  return user ? inGoodStanding({ user, clock }, { key: { id } }) : { kind: 'gone' }
}

/** By the token of a job, which is good while the job runs. */
async function renewByJob(
  { db, clock }: { db: Db; clock: Clock },
  job: NonNullable<Actor['job']>,
  user_id: number,
): Promise<Actor | CredentialEnd> {
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

function inGoodStanding(
  { user, clock }: { user: User; clock: Clock },
  by: Pick<Actor, 'key' | 'password' | 'job'>,
): Actor | CredentialEnd {
  const problem = standingProblem(user, timestamp(clock))
  if (problem !== undefined) return { kind: 'barred', text: problem }
  return { user: actorUserOf(user), token: undefined, ...by }
}
