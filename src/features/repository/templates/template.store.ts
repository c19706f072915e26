// The template projects of groups.
import type { Db } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'

/** Returns the template projects of the groups that a namespace is in, the nearest group first. */
export async function listGroupTemplateProjects(db: Db, namespaceId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('namespace_ancestors as own')
    .innerJoin('namespaces', 'namespaces.id', 'own.ancestor_id')
    .innerJoin('projects', 'projects.id', 'namespaces.file_template_project_id')
    // Template projects that have left the group are excluded.
    .innerJoin('namespace_ancestors as of_project', (join) =>
      join
        .onRef('of_project.namespace_id', '=', 'projects.namespace_id')
        .onRef('of_project.ancestor_id', '=', 'namespaces.id'),
    )
    .select(['projects.id', 'namespaces.full_path'])
    .where('own.namespace_id', '=', namespaceId)
    .where('projects.state', '=', 'ready')
    .limit(limits.namespace_depth)
    .execute()
  const nearest = rows.toSorted((a, b) => b.full_path.length - a.full_path.length)
  return [...new Set(nearest.map(({ id }) => id))]
}
