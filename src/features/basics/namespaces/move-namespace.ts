// Moves or renames a group with everything below it: full paths, full names and routes change in a few statements, and
// former full paths redirect.
import type { Db } from '../../../db/db.ts'
import { type ApiError, invalid } from '../../../kernel/errors.ts'
import type { Group } from '../../../subjects/group.ts'
import type { PathClaimant } from './namespace.ts'
import {
  deleteShadowedRedirects,
  hasForeignRedirects,
  insertRedirectsOfNamespace,
  renameGroupAndDescendants,
  updateRoutesOfGroup,
} from './namespace-move.store.ts'

type Place = {
  path: string
  name: string
  /** The new parent, or null for the top level. If absent, the parent does not change. */
  parent?: Pick<Group, 'full_path' | 'full_name'> | null
  claimant: PathClaimant
}

/**
 * Renames a group or rebases it below a parent; 400 when the full path is taken. In the caller's
 * transaction, which has read both under the access lock.
 */
export async function moveNamespace(
  db: Db,
  group: Group,
  { path, name, parent, claimant }: Place,
): Promise<void> {
  const above = parent === undefined ? placeOf(group) : prefixOf(parent)
  const full_path = above.path + path
  const full_name = above.name + name
  if (full_path !== group.full_path) {
    const isOtherPath = full_path.toLowerCase() !== group.full_path.toLowerCase()
    if (isOtherPath) await insertRedirectsOfNamespace(db, group.id)
    if (!(await updateRoutesOfGroup(db, group, full_path))) throw taken()
    if (await hasForeignRedirects(db, group.id, claimant)) throw taken()
    if (isOtherPath) await deleteShadowedRedirects(db, group.id)
  }
  await renameGroupAndDescendants(db, group, { path, name, full_path, full_name })
}

function placeOf({ full_path, path, full_name, name }: Group): { path: string; name: string } {
  return { path: full_path.slice(0, -path.length), name: full_name.slice(0, -name.length) }
}

function prefixOf(parent: NonNullable<Place['parent']> | null): { path: string; name: string } {
  return {
    path: parent ? `${parent.full_path}/` : '',
    name: parent ? `${parent.full_name} / ` : '',
  }
}

function taken(): ApiError {
  return invalid({ path: ['has already been taken'] })
}
