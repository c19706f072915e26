// Resolves an address of the web interface. What the caller cannot see does not exist.
import type { Actor } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { findGroup, findGroupIdByFormerPath, type Group } from '../../../subjects/group.ts'
import {
  findFormerProjectPathByPrefix,
  findProject,
  findProjectByPathPrefix,
  type Project,
} from '../../../subjects/project.ts'
import { findUserByUsername } from '../../../subjects/user.ts'
import type { WebAddress } from './web-address.ts'

/** `inside` are the parts of the URL after the path of the project, group or user. */
export type ResolvedWebAddress =
  | { kind: 'project'; project: Project; level: number; inside: string[] }
  | { kind: 'group'; id: number; group: Group; level: number; owner: string; inside: string[] }
  | { kind: 'user'; id: number; owner: string; inside: string[] }

type Caller = { db: Db; actor: Actor }

/** Finds a project, a group or a user, in this order; also by a former path of a project or group. */
export async function resolveWebAddress(
  caller: Caller,
  address: WebAddress,
): Promise<ResolvedWebAddress | undefined> {
  if (address.owner.length === 0) return undefined
  const project = address.isGroup ? undefined : await findProjectPlace(caller, address)
  return project ?? (await findGroupPlace(caller, address)) ?? findUserPlace(caller, address)
}

/**
 * Finds the project of an address. Old addresses have no `/-/`; the path of the project is then a prefix of
 * the address.
 */
async function findProjectPlace(
  { db, actor }: Caller,
  { owner, inside }: WebAddress,
): Promise<ResolvedWebAddress | undefined> {
  const found = await findProjectByPathPrefix(db, actor, owner)
  const moved = found ? undefined : await findFormerProjectPathByPrefix(db, owner)
  const place = moved ? await findProject(db, actor, { id: moved.project_id }) : found
  if (!place || !canSeeProject(actor, place)) return undefined
  const path = moved?.path ?? place.project.full_path
  const more = owner.slice(path.split('/').length)
  // In an address with `/-/`, everything before it must be the path of the project.
  if (inside && more.length > 0) return undefined
  return { kind: 'project', ...place, inside: inside ?? more }
}

async function findGroupPlace(
  { db, actor }: Caller,
  { owner, inside = [] }: WebAddress,
): Promise<ResolvedWebAddress | undefined> {
  const path = owner.join('/')
  const found = await findGroup(db, actor, { path })
  const id = found ? undefined : await findGroupIdByFormerPath(db, path)
  const place = id === undefined ? found : await findGroup(db, actor, { id })
  if (!place?.isVisible) return undefined
  const { group, level } = place
  return { kind: 'group', id: group.id, group, level, owner: `groups/${group.full_path}`, inside }
}

async function findUserPlace(
  { db }: Caller,
  { owner: [username = '', ...more], isGroup, inside }: WebAddress,
): Promise<ResolvedWebAddress | undefined> {
  if (isGroup || inside || more.length > 0) return undefined
  const user = await findUserByUsername(db, username)
  return user && { kind: 'user', id: user.id, owner: user.username, inside: [] }
}
