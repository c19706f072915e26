import type { Actor } from '../../../access/actor.ts'
import { notExpiredCondition } from '../../../access/not-expired-condition.ts'
import { visibleNamespaceCondition } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { containsTextCondition } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Namespace } from '../../../subjects/namespace.ts'

type GroupsOfProject = {
  project: { id: number; namespace_id: number }
  /** The caller, who must be able to see the invited groups; undefined for all invited groups. */
  actor: Actor | undefined
  today: string
  /** Whether to list only invited groups, and not the groups above the project. */
  invited_only?: boolean
  search?: string
  skip_groups?: readonly number[]
  with_shared?: boolean
  shared_min_access_level?: number
}

/** Returns one page of the groups above a project and, on request, those invited into it. */
export async function listGroupsOfProject(
  db: Db,
  { project, actor, today, invited_only = false, ...filter }: GroupsOfProject,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Namespace[]; total: number | undefined }> {
  const { search, skip_groups = [], with_shared = false, shared_min_access_level = 0 } = filter
  const above = db
    .selectFrom('namespace_ancestors')
    .select('ancestor_id as id')
    .where('namespace_id', '=', project.namespace_id)
  let invited = db
    .selectFrom('namespaces')
    .innerJoin('project_shares', 'project_shares.shared_with_id', 'namespaces.id')
    .select('namespaces.id')
    .where('project_shares.project_id', '=', project.id)
    .where('project_shares.access_level', '>=', shared_min_access_level)
    .where(notExpiredCondition('project_shares.expires_at', today))
  if (actor) invited = invited.where(visibleNamespaceCondition(actor))
  let matching = db
    .selectFrom('namespaces')
    .where('namespaces.kind', '=', 'group')
    .where('namespaces.state', '=', 'ready')
    .where(
      'namespaces.id',
      'in',
      invited_only ? invited : with_shared ? above.union(invited) : above,
    )
  if (skip_groups.length > 0) matching = matching.where('namespaces.id', 'not in', skip_groups)
  if (search) {
    matching = matching.where(
      containsTextCondition(db, ['namespaces.name', 'namespaces.path'], search),
    )
  }
  const rows = await matching
    .selectAll('namespaces')
    .orderBy('namespaces.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('namespaces.id')) }
}
