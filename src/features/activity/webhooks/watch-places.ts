// System hooks and group hooks of projects and groups (docs/api/webhooks.md, "System events").
import type { Db } from '../../../db/db.ts'
import type { GroupChange } from '../../groups/groups/group-changed.ts'
import type { ProjectChange } from '../../projects/projects/project-changed.ts'
import { enqueueHookCalls, type HookCallRequest } from './call-hooks.ts'
import {
  findGroupWithParent,
  findProjectWithOwner,
  type HookProject,
} from './system-event.store.ts'
import { publicEmailOrRedacted, systemHookSubjectOfBody } from './watch-people.ts'

/** Enqueues webhook calls when a project is created or changes. */
export async function enqueueProjectHooks(change: ProjectChange): Promise<void> {
  const { tx, clock, project_id, action } = change
  const about = async () => {
    const project = await findProjectWithOwner(tx, project_id)
    if (!project) throw new Error(`Project ${project_id} was deleted while it was being changed.`)
    return systemHookSubjectOfBody({
      ...projectBody(project, `project_${action}`),
      ...('old_path_with_namespace' in change
        ? { old_path_with_namespace: change.old_path_with_namespace }
        : {}),
    })
  }
  await enqueueHookCalls({ tx, clock }, 'system', { calls: [{ event: 'system', about }] })
}

/** Enqueues the webhooks of a deleted project, unless its creation never finished and was never reported. */
export async function enqueueRemovedProjectHooks({
  tx,
  project_id,
  now,
}: {
  tx: Db
  project_id: number
  now: string
}): Promise<void> {
  const project = await findProjectWithOwner(tx, project_id)
  if (project?.state !== 'deleting') return
  const about = systemHookSubjectOfBody(projectBody(project, 'project_destroy'))
  const clock = () => new Date(now)
  await enqueueHookCalls({ tx, clock }, 'system', { calls: [{ event: 'system', about }] })
}

function projectBody(project: HookProject, event_name: string) {
  const isOfUser = project.owner_name !== null
  const owner_name = project.owner_name ?? project.namespace_name
  const owner_email = isOfUser
    ? publicEmailOrRedacted({ public_email: project.owner_email ?? '' })
    : ''
  return {
    event_name,
    created_at: project.created_at,
    updated_at: project.updated_at,
    name: project.name,
    path: project.path,
    path_with_namespace: `${project.namespace_path}/${project.path}`,
    project_id: project.id,
    project_namespace_id: project.namespace_id,
    owner_name,
    owner_email,
    owners: isOfUser ? [{ name: owner_name, email: owner_email }] : [],
    project_visibility: project.visibility,
  }
}

/** Enqueues the webhooks of a created, renamed or deleted group; for a subgroup those of the groups above. */
export async function enqueueGroupHooks(change: GroupChange): Promise<void> {
  const { tx, clock, group_id, action } = change
  const group = await findGroupWithParent(tx, group_id)
  if (!group) return
  const { name, path, full_path, parent_id, created_at, updated_at } = group
  const calls: HookCallRequest[] = [
    {
      event: 'system',
      about: systemHookSubjectOfBody({
        event_name: `group_${action}`,
        ...{ created_at, updated_at, name, path, full_path, group_id },
        owner_name: null,
        owner_email: null,
        ...(change.action === 'rename'
          ? { old_path: change.old_path, old_full_path: change.old_full_path }
          : {}),
      }),
    },
  ]
  if (parent_id !== null && action !== 'rename') {
    const { parent_name, parent_path, parent_full_path } = group
    calls.push({
      event: 'subgroup_events',
      about: systemHookSubjectOfBody({
        ...{ created_at, updated_at },
        event_name: `subgroup_${action}`,
        ...{ name, path, full_path, group_id },
        parent_group_id: parent_id,
        ...{ parent_name, parent_path, parent_full_path },
      }),
    })
  }
  const scope = parent_id === null ? 'system' : { namespace_id: parent_id }
  await enqueueHookCalls({ tx, clock }, scope, { calls })
}
