// Authenticates and authorizes callers of the LFS server: with the credentials of git over HTTP, and with LFS tokens.
// Every LFS request goes through authorizeLfs.

import { type Actor, isAdmin } from '../../access/actor.ts'
import { credentialRefusal } from '../../access/credential-refusal.ts'
import { Level } from '../../access/level.ts'
import type { Db } from '../../db/db.ts'
import { reloadActor } from '../../features/people/credentials/credential.ts'
import { ensureMembershipsExpired } from '../../features/people/members/member.tasks.ts'
import { reloadSshKeyHolderRecordingUse } from '../../features/people/ssh-keys/ssh-key.ts'
import { findGitTargetForDeployKey } from '../../features/repository/deploy-keys/deploy-grant.ts'
import { findGitTargetForDeployToken } from '../../features/repository/deploy-tokens/deploy-token.ts'
import {
  isLfsTokenText,
  type LfsOperation,
  type LfsTokenGrant,
  lfsTokenUserName,
  verifyLfsToken,
} from '../../features/repository/lfs/lfs-token.ts'
import { authorizeGitOrCollaborator } from '../../features/repository/pushes/authorize.ts'
import { basicCredentials } from '../../http/credentials.ts'
import type { Instance } from '../../http/endpoint.ts'
import { findGitTarget, type GitTarget } from '../../subjects/git-target.ts'
import type { Project } from '../../subjects/project.ts'
import { authenticateGit, type CredentialProblem } from '../git-credentials/git-credentials.ts'

/** The caller. `grant` limits what their LFS token may do, and `deployKey` is the key that it was created for. */
export type LfsCaller = {
  actor: Actor
  grant: LfsTokenGrant | undefined
  deployKey?: Parameters<typeof findGitTargetForDeployKey>[1]
}

/** Returns the caller of an LFS request: by an LFS token, or by the credentials of git over HTTP. */
export async function authenticateLfs(
  uses: Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>,
  { authorization, ip }: { authorization: string | undefined; ip: string },
): Promise<LfsCaller | CredentialProblem> {
  const given = authorization === undefined ? undefined : basicCredentials(authorization)
  const grant = given && verifyLfsToken(uses, given.password)
  if (grant) return callerOfGrant(uses, grant, given.username)
  if (given && isLfsTokenText(given.password)) return { kind: 'unknown' }
  const caller = await authenticateGit(uses, { authorization, ip })
  return 'kind' in caller ? caller : { actor: caller, grant: undefined }
}

async function callerOfGrant(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  grant: LfsTokenGrant,
  username: string,
): Promise<LfsCaller | CredentialProblem> {
  const actor = await reloadActor({ db, clock }, grant.holder)
  if ('kind' in actor) return actor.kind === 'barred' ? actor : { kind: 'unknown' }
  if (lfsTokenUserName(actor).toLowerCase() !== username.toLowerCase()) return { kind: 'unknown' }
  if (actor.user || !actor.key) return { actor, grant }
  const found = await reloadSshKeyHolderRecordingUse(db, clock, actor.key.id)
  return found ? { actor, grant, deployKey: found.key } : { kind: 'unknown' }
}

/**
 * Whether links are signed for the caller: an LFS token can replace a token, a key or a password. Jobs and deploy tokens
 * send their own token with each request.
 */
export function areLinksSignedFor({ token, key, password }: Actor): boolean {
  return [token, key, password].some((credential) => credential !== undefined)
}

/** Returns the project at a path and the caller's access to it, even if the caller cannot see it. */
export function findLfsTarget(
  uses: Pick<Instance, 'db' | 'clock'>,
  { actor, deployKey }: LfsCaller,
  fullPath: string,
): Promise<GitTarget | undefined> {
  if (actor.deployToken) return findGitTargetForDeployToken(uses, actor.deployToken, fullPath)
  return deployKey
    ? findGitTargetForDeployKey(uses, deployKey, fullPath)
    : findGitTarget(uses.db, actor, fullPath)
}

/** Why a caller may not use the LFS objects of a repository. */
export type LfsRefusalReason = 'hidden' | 'forbidden' | 'disabled'

/**
 * Returns why the caller is refused; undefined if they are not. A token never grants more than its holder's current access.
 */
export async function authorizeLfs(
  db: Db,
  { actor, grant }: LfsCaller,
  { target, operation }: { target: GitTarget | undefined; operation: LfsOperation },
): Promise<LfsRefusalReason | undefined> {
  if (!target) return 'hidden'
  const { project } = target
  if (grant && grant.project_id !== project.id) return 'hidden'
  if (grant?.operation === 'download' && operation === 'upload') return 'forbidden'
  const service = operation === 'download' ? 'git-upload-pack' : 'git-receive-pack'
  const refusal = await authorizeGitOrCollaborator(db, { actor, found: target, service })
  if (refusal) return refusal.reason
  return project.lfs_enabled ? undefined : 'disabled'
}

/**
 * Reloads the caller and the project of an upload, which may have taken hours. Throws the refusal of a credential that has
 * ended; returns why the caller may not upload any more, undefined if they may.
 */
export async function recheckLfsUpload(
  uses: Pick<Instance, 'db' | 'clock'>,
  caller: LfsCaller,
  { id, full_path }: Pick<Project, 'id' | 'full_path'>,
): Promise<LfsRefusalReason | undefined> {
  await ensureMembershipsExpired(uses)
  const actor = await reloadActor(uses, caller.actor)
  if ('kind' in actor) throw credentialRefusal(actor)
  const current = { ...caller, actor }
  const found = await findLfsTarget(uses, current, full_path)
  const target = found?.project.id === id ? found : undefined
  return authorizeLfs(uses.db, current, { target, operation: 'upload' })
}

/** Whether a caller may remove locks of others. */
export function isLfsMaintainer({ actor }: LfsCaller, { level }: GitTarget): boolean {
  return level >= Level.maintainer || isAdmin(actor)
}
