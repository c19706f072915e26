// The project of a group whose files are templates for the projects in and below the group.

import { sql } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { visibleProjectCondition } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Group } from '../../../subjects/group.ts'
import { groupAndDescendantIdsQuery } from '../../../subjects/subtree.ts'

type Viewer = Pick<Instance, 'db' | 'config'> & { actor: Actor }

/**
 * Returns the template project of each group that has one, in or below the group, which the caller can see. On paid tiers
 * only. Runs one query, or none if no group has one.
 */
export async function findTemplateProjectIdsByGroup(
  { db, actor, config }: Viewer,
  groups: readonly Pick<Group, 'id' | 'file_template_project_id'>[],
): Promise<Map<number, number>> {
  const naming = groups.filter(({ file_template_project_id }) => file_template_project_id !== null)
  if (naming.length === 0 || config.tier === 'free') return new Map()
  const rows = await db
    .selectFrom('namespaces')
    .innerJoin('projects', 'projects.id', 'namespaces.file_template_project_id')
    .innerJoin('namespace_ancestors', (join) =>
      join
        .onRef('namespace_ancestors.namespace_id', '=', 'projects.namespace_id')
        .onRef('namespace_ancestors.ancestor_id', '=', 'namespaces.id'),
    )
    .select(['namespaces.id as group_id', 'projects.id as project_id'])
    .where(
      'namespaces.id',
      'in',
      naming.map(({ id }) => id),
    )
    .where('projects.state', '=', 'ready')
    .where(visibleProjectCondition(actor))
    .execute()
  return new Map(rows.map(({ group_id, project_id }) => [group_id, project_id]))
}

/** Whether the project is in or below the group and the caller can see it. */
export async function isProjectVisibleInGroup(
  db: Db,
  actor: Actor,
  { group_id, project_id }: { group_id: number; project_id: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('projects')
    .select(sql.lit(1).as('one'))
    .where('projects.id', '=', project_id)
    .where('projects.namespace_id', 'in', groupAndDescendantIdsQuery(db, group_id))
    .where('projects.state', '=', 'ready')
    .where(visibleProjectCondition(actor))
    .executeTakeFirst()
  return row !== undefined
}
