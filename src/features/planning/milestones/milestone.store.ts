import { type Insertable, sql, type Updateable } from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import { visibleNamespaceCondition } from '../../../access/visibility.ts'
import type { Db, MilestoneTable } from '../../../db/db.ts'
import { containsTextCondition, isStorableInteger } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import { type OwningProjectOrGroup, ownerIdColumns } from '../../../subjects/owner.ts'
import { type Milestone, milestoneFromRow, milestonesWithOwnersQuery } from './milestone.ts'

export type MilestoneFilter = {
  state?: 'active' | 'closed'
  iids?: readonly number[]
  title?: string
  search?: string
  updated_before?: string
  updated_after?: string
  /** Whether to include milestones of the groups above that the viewer can see. `iids` is then ignored. */
  includesAncestors: boolean
  /** For a group: whether to include milestones of its subgroups. */
  includesDescendants?: boolean
}

function matching(
  db: Db,
  viewer: Viewer,
  { owner, filter }: { owner: OwningProjectOrGroup; filter: MilestoneFilter },
) {
  const { state, iids, title, search, updated_before, updated_after } = filter
  const isOwn = owner.kind === 'project' ? 'milestones.project_id' : 'milestones.namespace_id'
  return db
    .selectFrom('milestones')
    .where((eb) => {
      const ways = [eb(isOwn, '=', owner.id)]
      if (filter.includesAncestors) {
        ways.push(
          eb(
            'milestones.namespace_id',
            'in',
            eb
              .selectFrom('namespaces')
              .innerJoin('namespace_ancestors', 'namespace_ancestors.ancestor_id', 'namespaces.id')
              .select('namespaces.id')
              .where('namespace_ancestors.namespace_id', '=', owner.namespace_id)
              .where(visibleNamespaceCondition(viewer)),
          ),
        )
      }
      if (filter.includesDescendants && owner.kind === 'group') {
        ways.push(
          eb(
            'milestones.namespace_id',
            'in',
            eb
              .selectFrom('namespaces')
              .innerJoin('namespace_ancestors', 'namespace_ancestors.namespace_id', 'namespaces.id')
              .select('namespaces.id')
              .where('namespace_ancestors.ancestor_id', '=', owner.id)
              .where(visibleNamespaceCondition(viewer)),
          ),
        )
      }
      return eb.or(ways)
    })
    .$if(state !== undefined, (query) => query.where('milestones.state', '=', state ?? 'active'))
    .$if(iids !== undefined && !filter.includesAncestors, (query) =>
      query.where('milestones.iid', 'in', [...(iids ?? []).filter(isStorableInteger), 0]),
    )
    .$if(title !== undefined, (query) => query.where('milestones.title', '=', title ?? ''))
    .$if(search !== undefined && search !== '', (query) =>
      query.where(
        containsTextCondition(db, ['milestones.title', 'milestones.description'], search ?? ''),
      ),
    )
    .$if(updated_before !== undefined, (query) =>
      query.where('milestones.updated_at', '<=', updated_before ?? ''),
    )
    .$if(updated_after !== undefined, (query) =>
      query.where('milestones.updated_at', '>=', updated_after ?? ''),
    )
}

/** Returns one page of milestones: by due date, then those without one, newest first. */
export async function listMilestones(
  db: Db,
  viewer: Viewer,
  asked: { owner: OwningProjectOrGroup; filter: MilestoneFilter },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Milestone[]; total: number | undefined }> {
  const ids = matching(db, viewer, asked).select('milestones.id')
  const rows = await milestonesWithOwnersQuery(db)
    .where('milestones.id', 'in', ids)
    .orderBy(sql`case when milestones.due_date is null then 1 else 0 end`)
    .orderBy('milestones.due_date')
    .orderBy('milestones.id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows: rows.map(milestoneFromRow), total: await countRows(db, ids) }
}

/**
 * Whether the title is used in the owner, in a group above it, or, for a group, anywhere below it, since lists are filtered
 * by titles.
 */
export async function isMilestoneTitleTaken(
  db: Db,
  owner: OwningProjectOrGroup,
  { title, except }: { title: string; except: number },
): Promise<boolean> {
  const above = db
    .selectFrom('namespace_ancestors')
    .select('ancestor_id')
    .where('namespace_id', '=', owner.namespace_id)
  const below = db
    .selectFrom('namespace_ancestors')
    .select('namespace_id')
    .where('ancestor_id', '=', owner.namespace_id)
  const row = await db
    .selectFrom('milestones')
    .select('id')
    .where('title', '=', title)
    .where('id', '<>', except)
    .where((eb) =>
      eb.or(
        owner.kind === 'project'
          ? [eb('project_id', '=', owner.id), eb('namespace_id', 'in', above)]
          : [
              eb('namespace_id', 'in', above),
              eb('namespace_id', 'in', below),
              eb(
                'project_id',
                'in',
                db
                  .selectFrom('projects')
                  .select('projects.id')
                  .where('projects.namespace_id', 'in', below),
              ),
            ],
      ),
    )
    .executeTakeFirst()
  return row !== undefined
}

export async function insertMilestone(
  tx: Db,
  owner: OwningProjectOrGroup,
  milestone: Omit<Insertable<MilestoneTable>, 'project_id' | 'namespace_id'>,
): Promise<Milestone> {
  const row = await tx
    .insertInto('milestones')
    .values({ ...milestone, ...ownerIdColumns(owner) })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, owner_path: owner.full_path }
}

export async function updateMilestone(
  tx: Db,
  milestone: Milestone,
  changes: Updateable<MilestoneTable>,
): Promise<Milestone> {
  const row = await tx
    .updateTable('milestones')
    .set(changes)
    .where('id', '=', milestone.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, owner_path: milestone.owner_path }
}

export async function deleteMilestone(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('milestones').where('id', '=', id).execute()
}

/** Replaces the given milestones by a group milestone, and deletes them. */
export async function mergeMilestones(
  tx: Db,
  { from, to }: { from: readonly number[]; to: number },
): Promise<void> {
  if (from.length === 0) return
  for (const table of ['issuables', 'resource_events', 'boards', 'board_lists'] as const) {
    await tx
      .updateTable(table)
      .set({ milestone_id: to })
      .where('milestone_id', 'in', [...from])
      .execute()
  }
  await tx
    .deleteFrom('milestones')
    .where('id', 'in', [...from])
    .execute()
}

/** Returns the milestones with that title in the projects below a group. */
export async function findDescendantMilestoneIds(
  db: Db,
  { group_id, title }: { group_id: number; title: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom('milestones')
    .innerJoin('projects', 'projects.id', 'milestones.project_id')
    .innerJoin('namespace_ancestors', 'namespace_ancestors.namespace_id', 'projects.namespace_id')
    .select('milestones.id')
    .where('namespace_ancestors.ancestor_id', '=', group_id)
    .where('milestones.title', '=', title)
    .execute()
  return rows.map(({ id }) => id)
}
