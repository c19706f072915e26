import { type Actor, anonymous } from '../../access/actor.ts'
import type { Db } from '../../db/db.ts'
import { authenticateToken } from '../../features/tokens/token.ts'
import { actorUserOf, findUserByLogin, standingProblem } from '../../features/users/user.ts'
import { basicCredentials } from '../../http/credentials.ts'
import { type Clock, timestamp } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { verifyPassword } from '../../kernel/secrets.ts'

/** Why credentials were not taken: `unknown` asks for better ones, `barred` is final. */
export type CredentialProblem = { kind: 'unknown' } | { kind: 'barred'; text: string }

/**
 * The caller of a git request (behaviour, section 6.2): a personal access token as the password of any
 * user name, or an account's own name and password. No credentials are the anonymous caller.
 */
export async function authenticateGit(
  db: Db,
  clock: Clock,
  authorization: string | undefined,
): Promise<Actor | CredentialProblem> {
  if (authorization === undefined) return anonymous
  const given = basicCredentials(authorization)
  if (!given) return { kind: 'unknown' }
  try {
    return await authenticateToken(db, clock, given.password)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.kind === 'forbidden') {
      return { kind: 'barred', text: error.message.replace('403 Forbidden - ', '') }
    }
  }
  const user = await findUserByLogin(db, given.username)
  if (!(await verifyPassword(given.password, user?.password_digest ?? null)) || !user) {
    return { kind: 'unknown' }
  }
  const problem = standingProblem(user, timestamp(clock))
  return problem ? { kind: 'barred', text: problem } : { user: actorUserOf(user), token: undefined }
}
