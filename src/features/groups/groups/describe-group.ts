import { type Static, Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Context } from '../../../http/endpoint.ts'
import { namedObject, nullableInteger, nullableText, optionalText } from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import type { Group } from '../../../subjects/group.ts'
import { InvitedGroupJson } from '../../../subjects/group-summary.ts'
import { abilitiesSchemaField, resolveAbilities } from '../../abilities.ts'
import { listProjectIds, type ProjectFilter } from '../../projects/projects/list-projects.ts'
import { ShownProjectsJson, showProjects } from '../../projects/projects/show-projects.ts'
import { findTemplateProjectIdsByGroup } from './file-templates.store.ts'
import { mayCreateSubgroup } from './group.policy.ts'
import { GroupJson, presentGroup, zeroGroupSizes } from './group.present.ts'
import { listInvitedGroups, sumSizesByGroup } from './group.store.ts'

export const GroupDetailJson = namedObject('GroupDetail', {
  ...GroupJson.properties,
  shared_with_groups: Type.Array(InvitedGroupJson),
  runners_token: Type.Optional(nullableText),
  prevent_sharing_groups_outside_hierarchy: Type.Boolean(),
  repository_size_limit: Type.Optional(nullableInteger),
  storage_size_limit: Type.Optional(nullableInteger),
  projects: Type.Optional(ShownProjectsJson),
  shared_projects: Type.Optional(ShownProjectsJson),
})

/** The record for pages (`with_abilities`). */
export const GroupWithAbilitiesJson = namedObject('GroupWithAbilities', {
  ...GroupDetailJson.properties,
  description_html: optionalText,
  ...abilitiesSchemaField('group', ['create_subgroup']),
})

type Viewer = Pick<
  Context<unknown, unknown>,
  'db' | 'git' | 'clock' | 'config' | 'actor' | 'baseUrl' | 'secretKey'
>

/** Returns the record of a group. Only its Owners get `runners_token` (docs/api/groups.md, "Records"). */
export async function describeGroup(
  viewer: Viewer,
  { group, level }: { group: Group; level: number },
  { includesProjects = false, includesStatistics = false } = {},
): Promise<Static<typeof GroupDetailJson>> {
  const { db, actor, baseUrl, secretKey } = viewer
  const found = includesStatistics ? await sumSizesByGroup(db, [group.id]) : undefined
  const sizes = found && (found.get(group.id) ?? zeroGroupSizes)
  const templates = await findTemplateProjectIdsByGroup(viewer, [group])
  const file_template_project_id = templates.get(group.id)
  const token = group.runners_token && openSecret(secretKey, group.runners_token)
  return {
    ...presentGroup(group, { baseUrl, sizes, file_template_project_id }),
    shared_with_groups: await listInvitedGroups(db, actor, group.id),
    ...(level >= Level.owner ? { runners_token: token } : {}),
    prevent_sharing_groups_outside_hierarchy: group.prevent_sharing_groups_outside_hierarchy,
    ...(isAdmin(actor)
      ? {
          repository_size_limit: group.repository_size_limit,
          storage_size_limit: group.storage_size_limit,
        }
      : {}),
    ...(includesProjects ? await embedProjects(viewer, group.id) : {}),
  }
}

/**
 * Returns what the caller may do in a group. The operation that creates a subgroup has no group in its path, so its rule
 * is evaluated here.
 */
export async function resolveGroupAbilities(
  viewer: Viewer,
  { group, level }: { group: Group; level: number },
): Promise<{ abilities: Record<string, boolean> }> {
  const { abilities } = await resolveAbilities(viewer, 'group', group.id)
  const create_subgroup = mayCreateSubgroup({ subject: group, level, actor: viewer.actor })
  return { abilities: { ...abilities, create_subgroup } }
}

/** Returns the newest hundred projects of the group, and of those it is invited into. */
async function embedProjects(viewer: Viewer, groupId: number) {
  const { db, actor, clock } = viewer
  const newest = (filter: ProjectFilter) =>
    listProjectIds(db, actor, {
      filter,
      order: { by: 'id', sort: 'desc' },
      offset: 0,
      per_page: limits.per_page_max,
    })
  const own = await newest({ namespace: { id: groupId } })
  const inviting = await newest({ invited: { group_id: groupId, today: today(clock) } })
  const shown = await showProjects(viewer, [...new Set([...own, ...inviting])])
  const byId = new Map(shown.map(({ value }) => [value.id, value]))
  const pick = (ids: number[]) =>
    ids.flatMap((id) => byId.get(id) ?? []) as Static<typeof ShownProjectsJson>
  return { projects: pick(own), shared_projects: pick(inviting) }
}
