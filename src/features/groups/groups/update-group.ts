import type { Actor } from '../../../access/actor.ts'
import type { Db, Visibility } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Group } from '../../../subjects/group.ts'
import { findNamespace } from '../../../subjects/namespace.ts'
import { moveNamespace } from '../../basics/namespaces/move-namespace.ts'
import type { NamespaceSettings, PathClaimant } from '../../basics/namespaces/namespace.ts'
import { isProjectVisibleInGroup } from './file-templates.store.ts'
import { listVisibilitiesBelowGroup, updateGroup } from './group.store.ts'
import { groupChangedEffect } from './group-changed.ts'
import { groupProblems } from './group-problems.ts'

export type GroupChanges = {
  name?: string
  path?: string
  description?: string
  visibility?: Visibility
  settings: Partial<NamespaceSettings>
}

/**
 * Changes a group, or throws 400 and changes nothing. Runs in the caller's transaction, which has read the group with the
 * access lock.
 */
export async function changeGroup(
  { db, clock, user, actor }: Pick<Instance, 'db' | 'clock'> & { user: PathClaimant; actor: Actor },
  group: Group,
  changes: GroupChanges,
): Promise<Group> {
  const {
    name = group.name,
    path = group.path,
    description = group.description,
    visibility = group.visibility,
    settings,
  } = changes
  const problems = groupProblems({
    name,
    // The present path is not validated again, since it was valid when it was set.
    path: path === group.path ? 'unchanged' : path,
    description,
    visibility,
    settings,
    parent: await findParent(db, group, visibility),
    within:
      visibility === group.visibility ? undefined : await listVisibilitiesBelowGroup(db, group.id),
  })
  const project_id = settings.file_template_project_id
  // The present template project may stay, even if the caller cannot see it.
  const isNew = typeof project_id === 'number' && project_id !== group.file_template_project_id
  if (isNew && !(await isProjectVisibleInGroup(db, actor, { group_id: group.id, project_id }))) {
    problems.file_template_project_id = ['is invalid']
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  if (name !== group.name || path !== group.path) {
    await moveNamespace(db, group, { name, path, claimant: user })
  }
  await updateGroup(db, group.id, {
    ...settings,
    description,
    visibility,
    updated_at: timestamp(clock),
  })
  const changed = await findNamespace(db, group.id)
  if (!changed) throw new Error(`Group ${group.id} was deleted while it was being updated.`)
  if (path !== group.path) {
    const { path: old_path, full_path: old_full_path } = group
    const change = { tx: db, clock, group_id: group.id, old_path, old_full_path }
    await groupChangedEffect.run({ ...change, action: 'rename' })
  }
  return changed
}

/** Returns the parent if it limits the change, which only a new visibility does. */
async function findParent(db: Db, group: Group, visibility: Visibility) {
  if (group.parent_id === null) return undefined
  const parent = await findNamespace(db, group.parent_id)
  return visibility === group.visibility ? { visibility } : parent
}
