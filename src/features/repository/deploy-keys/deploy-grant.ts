// Public functions of deploy keys: their access to the project that a git command names.

import { type Actor, anonymous } from '../../../access/actor.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type DeployGrant, findGitTarget, type GitTarget } from '../../../subjects/git-target.ts'
import { findProject } from '../../../subjects/project.ts'
import { actorUserFromUser, findAccountProblem, findUser } from '../../../subjects/user.ts'
import type { SshKey } from '../../people/ssh-keys/ssh-key.ts'
import { findDeployKeyProject } from './deploy-key.store.ts'

type DeployKey = Pick<SshKey, 'id' | 'created_by_id'>

/**
 * Finds the project with that path, and what the key may do in it. What the key may see is what an anonymous caller may see.
 */
export async function findGitTargetForDeployKey(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  key: DeployKey,
  fullPath: string,
): Promise<GitTarget | undefined> {
  const target = await findGitTarget(db, anonymous, fullPath)
  return (
    target && { ...target, grant: await findDeployKeyGrant({ db, clock }, key, target.project.id) }
  )
}

/** Returns the current access of a deploy key to a project. */
export async function findDeployKeyGrant(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  key: DeployKey,
  projectId: number,
): Promise<DeployGrant> {
  const link = await findDeployKeyProject(db, { ssh_key_id: key.id, project_id: projectId })
  const can_push = link?.can_push ?? false
  const maker = can_push ? await findMaker({ db, clock }, key, projectId) : undefined
  return { isEnabled: link !== undefined, can_push, maker }
}

async function findMaker(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  { id, created_by_id }: DeployKey,
  projectId: number,
): Promise<DeployGrant['maker']> {
  const user = created_by_id === null ? undefined : await findUser(db, created_by_id)
  if (!user || findAccountProblem(user, timestamp(clock))) return undefined
  const actor: Actor = { user: actorUserFromUser(user), token: undefined, key: { id } }
  const found = await findProject(db, actor, { id: projectId })
  return found && { actor, level: found.level }
}
