// Public functions of deploy tokens: authenticates git clients that have one.

import { anonymous } from '../../../access/actor.ts'
import { parentNotExpiredCondition } from '../../../access/parent-not-expired-condition.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp, utcDayOf } from '../../../kernel/clock.ts'
import { digestToken } from '../../../kernel/ids.ts'
import { findGitTarget, type GitTarget } from '../../../subjects/git-target.ts'

/** A token with this name is passed to the jobs of its project. */
export const deployTokenNameForJobs = 'gitlab-deploy-token'

function unexpired({ db, clock }: Pick<Instance, 'db' | 'clock'>) {
  const now = timestamp(clock)
  return db
    .selectFrom('deploy_tokens')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where(parentNotExpiredCondition('deploy_tokens', utcDayOf(now)))
}

/** Returns the token with that text if its username matches. */
export async function authenticateDeployToken(
  uses: Pick<Instance, 'db' | 'clock'>,
  { username, password }: { username: string; password: string },
): Promise<{ id: number } | undefined> {
  const row = await unexpired(uses)
    .select(['id', 'username'])
    .where('digest', '=', digestToken(password))
    .executeTakeFirst()
  return row?.username === username ? { id: row.id } : undefined
}

/**
 * Finds the project with that path, and what the token may do in it. What the token may see is what an anonymous caller may
 * see.
 */
export async function findGitTargetForDeployToken(
  uses: Pick<Instance, 'db' | 'clock'>,
  { id }: { id: number },
  fullPath: string,
): Promise<GitTarget | undefined> {
  const target = await findGitTarget(uses.db, anonymous, fullPath)
  if (!target) return undefined
  const isEnabled = await covers(uses, id, target.project)
  const readOnlyText = 'You are not allowed to upload code.'
  return { ...target, grant: { isEnabled, can_push: false, maker: undefined, readOnlyText } }
}

/** Returns whether the token is for this project, or for a group above it. */
async function covers(
  uses: Pick<Instance, 'db' | 'clock'>,
  id: number,
  project: { id: number; namespace_id: number },
): Promise<boolean> {
  const row = await unexpired(uses)
    .select('scopes')
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('project_id', '=', project.id),
        eb(
          'namespace_id',
          'in',
          eb
            .selectFrom('namespace_ancestors')
            .select('ancestor_id')
            .where('namespace_ancestors.namespace_id', '=', project.namespace_id),
        ),
      ]),
    )
    .executeTakeFirst()
  return row?.scopes.includes('read_repository') ?? false
}

/** Returns the token for the jobs of a project, still encrypted. */
export async function findJobDeployToken(
  uses: Pick<Instance, 'db' | 'clock'>,
  project_id: number,
): Promise<{ username: string; token: string } | undefined> {
  const row = await unexpired(uses)
    .select(['username', 'token'])
    .where('project_id', '=', project_id)
    .where('name', '=', deployTokenNameForJobs)
    .where('token', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && row.token !== null ? { username: row.username, token: row.token } : undefined
}
