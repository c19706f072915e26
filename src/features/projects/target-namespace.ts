import { isAdmin } from '../../access/actor.ts'
import { Level } from '../../access/level.ts'
import type { Context } from '../../http/endpoint.ts'
import { findNamespaceLevel, type Namespace } from '../namespaces/namespace.ts'

const creationLevels = { noone: Infinity, owner: 50, maintainer: 40, developer: 30 } as const

/** Whether the caller may put a project of theirs into the namespace. */
export async function mayCreateIn(
  { db, actor, user }: Pick<Context<unknown, unknown>, 'db' | 'actor' | 'user'>,
  namespace: Namespace,
): Promise<boolean> {
  if (namespace.state !== 'ready') return false
  const level = isAdmin(actor) ? Level.owner : await findNamespaceLevel(db, user.id, namespace.id)
  const isPersonal = namespace.kind === 'user'
  return level >= (isPersonal ? Level.owner : creationLevels[namespace.project_creation_level])
}
