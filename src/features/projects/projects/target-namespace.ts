import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Context } from '../../../http/endpoint.ts'
import { findGroup } from '../../../subjects/group.ts'
import {
  findNamespace,
  findNamespaceByPath,
  findUserLevelOnNamespace,
  type Namespace,
} from '../../../subjects/namespace.ts'
import { findUser } from '../../../subjects/user.ts'
import { countProjectsOfNamespace } from './project.store.ts'

type Caller = Pick<Context<unknown, unknown>, 'db' | 'actor' | 'user'>

const creationLevels = { noone: Infinity, owner: 50, maintainer: 40, developer: 30 } as const

/** Whether the caller may create a project in the namespace. */
export async function mayCreateProjectIn(caller: Caller, namespace: Namespace): Promise<boolean> {
  return holds(caller, namespace, Level.developer)
}

/**
 * Whether the caller may move a project into the namespace: Maintainers of a group who may also create
 * there, and the owner of a personal namespace while it has room.
 */
export async function mayTransferProjectInto(
  caller: Caller,
  namespace: Namespace,
): Promise<boolean> {
  if (!(await holds(caller, namespace, Level.maintainer))) return false
  return namespace.kind === 'group' || isAdmin(caller.actor) || hasRoom(caller, namespace)
}

async function holds(
  { db, actor, user }: Caller,
  namespace: Namespace,
  level_min: number,
): Promise<boolean> {
  if (namespace.state !== 'ready') return false
  const level = isAdmin(actor)
    ? Level.owner
    : await findUserLevelOnNamespace(db, user.id, namespace.id)
  if (namespace.kind === 'user') return level >= Level.owner
  return level >= Math.max(level_min, creationLevels[namespace.project_creation_level])
}

async function hasRoom({ db }: Caller, { id, owner_id }: Namespace): Promise<boolean> {
  const owner = owner_id === null ? undefined : await findUser(db, owner_id)
  return owner !== undefined && (await countProjectsOfNamespace(db, id)) < owner.projects_limit
}

/** Returns a namespace by id or full path if the caller can see it: a visible group or their own namespace. */
export async function findTargetNamespace(
  { db, actor, user }: Caller,
  idOrPath: string,
): Promise<Namespace | undefined> {
  const namespace = /^\d{1,15}$/.test(idOrPath)
    ? await findNamespace(db, Number(idOrPath))
    : await findNamespaceByPath(db, idOrPath)
  if (namespace?.state !== 'ready') return undefined
  if (namespace.kind === 'user') {
    return namespace.owner_id === user.id || isAdmin(actor) ? namespace : undefined
  }
  const found = await findGroup(db, actor, { id: namespace.id })
  return found?.isVisible ? namespace : undefined
}
