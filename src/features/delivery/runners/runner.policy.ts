// Access rules of runners (docs/api/runners.md).
import { type Actor, isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import type { Permission } from '../../../http/endpoint.ts'
import { forbidden } from '../../../kernel/errors.ts'
import type { RunnerScope } from './register-runner.ts'
import { administersOwnerOfRunner, type Runner } from './runner.store.ts'

/** Administrators, and users who administer a project or group that the runner belongs to. */
export async function mayAdministerRunner({
  db,
  actor,
  loaded: { id },
}: {
  db: Db
  actor: Actor
  loaded: Runner
}): Promise<Permission> {
  const isAllowed = isAdmin(actor) || (await administersOwnerOfRunner(db, id, actor.user?.id ?? 0))
  return isAllowed || forbidden('No access granted')
}

/** Whether the caller may assign the runner to another project. */
export async function mayAssignRunner(
  facts: Parameters<typeof mayAdministerRunner>[0],
): Promise<Permission> {
  const { runner_type, locked } = facts.loaded
  const administers = await mayAdministerRunner(facts)
  if (administers !== true) return administers
  if (runner_type !== 'project_type') return forbidden('Runner is a group runner')
  return !locked || forbidden('Runner is locked')
}

/** Whether the caller may create a runner of the instance, a group or a project. `level` is the caller's level there. */
export function mayCreateRunner({
  actor,
  loaded: { scope, level },
}: {
  actor: Actor
  loaded: { scope: RunnerScope; level: number }
}): boolean {
  switch (scope.runner_type) {
    case 'instance_type':
      return isAdmin(actor)
    case 'group_type':
      return level >= Level.owner
    case 'project_type':
      return level >= Level.maintainer
  }
}
