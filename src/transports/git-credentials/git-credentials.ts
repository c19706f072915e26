import { type Actor, anonymous } from '../../access/actor.ts'
import { authenticateJobToken } from '../../features/delivery/jobs/job-token.ts'
import { authenticateByToken } from '../../features/people/credentials/credential.ts'
import { passwordStampOf } from '../../features/people/sessions/session.ts'
import {
  authenticateByPassword,
  clearSignInFailures,
  recordSignInFailure,
} from '../../features/people/sign-in/check-password.ts'
import { authenticateDeployToken } from '../../features/repository/deploy-tokens/deploy-token.ts'
import { basicCredentials } from '../../http/credentials.ts'
import type { Instance } from '../../http/endpoint.ts'
import { timestamp } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { isDeployToken, isJobToken, isPersonalTokenText } from '../../kernel/ids.ts'
import { actorUserFromUser, findCredentialEndOfAccount } from '../../subjects/user.ts'

/**
 * Why credentials were refused: `unknown` asks for others, `token-wanted` requires a token instead of a password, `barred`
 * is final.
 */
export type CredentialProblem =
  | { kind: 'unknown' }
  | { kind: 'token-wanted' }
  | { kind: 'barred'; text: string }

/**
 * Returns the caller of a git request (docs/api/git-access.md, "Credentials"): by a personal access token as the password of
 * any username, a deploy token with its own username, or the username and password of an account. Without credentials the
 * caller is anonymous.
 */
export async function authenticateGit(
  uses: Pick<Instance, 'db' | 'clock' | 'config'>,
  { authorization, ip }: { authorization: string | undefined; ip: string },
): Promise<Actor | CredentialProblem> {
  if (authorization === undefined) return anonymous
  const given = basicCredentials(authorization)
  if (!given) return { kind: 'unknown' }
  if (isJobToken(given.password)) return authenticateJob(uses, given.password)
  if (isDeployToken(given.password)) {
    const token = await authenticateDeployToken(uses, given)
    if (token) return { ...anonymous, deployToken: token }
    await recordSignInFailure(uses, { user: undefined, ip })
    return { kind: 'unknown' }
  }
  try {
    return await authenticateByToken(uses.db, uses.clock, given.password)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.kind === 'forbidden') return barred(error)
    // An old token in somebody's configuration must not lock their account.
    if (error.kind === 'invalid-token') return { kind: 'unknown' }
  }
  if (isPersonalTokenText(given.password)) {
    await recordSignInFailure(uses, { user: undefined, ip })
    return { kind: 'unknown' }
  }
  try {
    return await authenticatePassword(uses, { login: given.username, ...given, ip })
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'forbidden') return barred(error)
    throw error
  }
}

/** Authenticates a job token, which is valid while the job runs, under any user name. */
async function authenticateJob(
  uses: Pick<Instance, 'db' | 'clock'>,
  token: string,
): Promise<Actor | CredentialProblem> {
  try {
    return await authenticateJobToken(uses, token)
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'forbidden') return barred(error)
    if (error instanceof ApiError && error.kind === 'unauthorized') return { kind: 'unknown' }
    throw error
  }
}

async function authenticatePassword(
  uses: Pick<Instance, 'db' | 'clock' | 'config'>,
  given: { login: string; password: string; ip: string },
): Promise<Actor | CredentialProblem> {
  const user = await authenticateByPassword(uses, given)
  if (!user) return { kind: 'unknown' }
  // Failures go on being counted: who has the password alone must not clear them and guess codes.
  if (user.two_factor_enabled) return { kind: 'token-wanted' }
  await clearSignInFailures(uses.db, user)
  const end = findCredentialEndOfAccount(user, timestamp(uses.clock))
  if (end) return end
  return {
    user: actorUserFromUser(user),
    token: undefined,
    password: { stamp: passwordStampOf(user) },
  }
}

function barred({ message }: ApiError): CredentialProblem {
  return {
    kind: 'barred',
    text: message === '403 Forbidden' ? 'Forbidden' : message.replace('403 Forbidden - ', ''),
  }
}
