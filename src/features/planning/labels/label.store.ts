import { type Insertable, sql, type Updateable } from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import { visibleNamespaceCondition, visibleProjectCondition } from '../../../access/visibility.ts'
import type { Db, LabelTable } from '../../../db/db.ts'
import { containsTextCondition } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import { visibleIssuableCondition } from '../../../subjects/issuable.ts'
import { type OwningProjectOrGroup, ownerIdColumns } from '../../../subjects/owner.ts'
import type { Label } from './label.ts'

export type ListedLabel = Label & { priority: number | null; subscribed: boolean }

/** Filters the labels of an owner. */
export type LabelFilter = {
  /** Filters by id or exact name. The id takes precedence. */
  named?: { id: number | undefined; title: string }
  search?: string
  includesAncestors: boolean
  includesDescendants?: boolean
  /** For a group: whether to include the labels of its projects. */
  includesProjects?: boolean
  /**
   * The caller of a list that includes subgroups or projects. Labels of those that the caller cannot see are
   * excluded.
   */
  viewer?: Viewer
}

const nobody: Viewer = { user: undefined }

function labelsOf(db: Db, owner: OwningProjectOrGroup, filter: LabelFilter) {
  const { viewer } = filter
  const above = db
    .selectFrom('namespace_ancestors')
    .select('ancestor_id as id')
    .where('namespace_id', '=', owner.namespace_id)
  const below = db
    .selectFrom('namespace_ancestors')
    .select('namespace_id as id')
    .where('ancestor_id', '=', owner.namespace_id)
    .$if(viewer !== undefined, (query) =>
      query
        .innerJoin('namespaces', 'namespaces.id', 'namespace_ancestors.namespace_id')
        .where(visibleNamespaceCondition(viewer ?? nobody)),
    )
  return db
    .selectFrom('labels')
    .where((eb) => {
      const own =
        owner.kind === 'project'
          ? eb('labels.project_id', '=', owner.id)
          : eb('labels.namespace_id', '=', owner.id)
      const ways = [own]
      if (filter.includesAncestors) ways.push(eb('labels.namespace_id', 'in', above))
      if (filter.includesDescendants) ways.push(eb('labels.namespace_id', 'in', below))
      if (filter.includesProjects) {
        const projects = eb
          .selectFrom('projects')
          .select('projects.id')
          .where(visibleProjectCondition(viewer ?? nobody))
        ways.push(
          eb(
            'labels.project_id',
            'in',
            filter.includesDescendants
              ? projects.where('projects.namespace_id', 'in', below)
              : projects.where('projects.namespace_id', '=', owner.id),
          ),
        )
      }
      return eb.or(ways)
    })
    .$if(filter.search !== undefined && filter.search !== '', (query) =>
      query.where(
        containsTextCondition(db, ['labels.title', 'labels.description'], filter.search ?? ''),
      ),
    )
    .$if(filter.named !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('labels.title', '=', filter.named?.title ?? ''),
          eb('labels.id', '=', filter.named?.id ?? 0),
        ]),
      ),
    )
}

function withDetails(
  query: ReturnType<typeof labelsOf>,
  { owner, user_id }: { owner: OwningProjectOrGroup; user_id: number },
) {
  return query.selectAll('labels').select((eb) => [
    eb
      .selectFrom('label_priorities')
      .select('label_priorities.priority')
      .whereRef('label_priorities.label_id', '=', 'labels.id')
      .where('label_priorities.project_id', '=', owner.kind === 'project' ? owner.id : 0)
      .as('priority'),
    eb
      .exists(
        eb
          .selectFrom('label_subscriptions')
          .select(sql.lit(1).as('one'))
          .whereRef('label_subscriptions.label_id', '=', 'labels.id')
          .where('label_subscriptions.user_id', '=', user_id),
      )
      .as('subscribed'),
  ])
}

const listed = (row: Omit<ListedLabel, 'subscribed'> & { subscribed: unknown }): ListedLabel => ({
  ...row,
  subscribed: Boolean(row.subscribed),
})

/** Returns one page of labels by name. */
export async function listLabels(
  db: Db,
  { owner, user_id, filter }: { owner: OwningProjectOrGroup; user_id: number; filter: LabelFilter },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ListedLabel[]; total: number | undefined }> {
  const matching = labelsOf(db, owner, filter)
  const rows = await withDetails(matching, { owner, user_id })
    .orderBy('labels.title')
    .orderBy('labels.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows: rows.map(listed), total: await countRows(db, matching.select('labels.id')) }
}

/** Returns the label with that id or name. An id has precedence over a name, and an own label over an inherited one. */
export async function findLabel(
  db: Db,
  { owner, user_id, filter }: { owner: OwningProjectOrGroup; user_id: number; filter: LabelFilter },
): Promise<ListedLabel | undefined> {
  const rows = await withDetails(labelsOf(db, owner, filter), { owner, user_id })
    .orderBy('labels.id')
    .execute()
  const isOwn = (row: Label) =>
    owner.kind === 'project' ? row.project_id === owner.id : row.namespace_id === owner.id
  const found =
    rows.find(({ id }) => id === filter.named?.id) ?? rows.find((row) => isOwn(row)) ?? rows[0]
  return found && listed(found)
}

/** Inserts a label; returns undefined if the owner has one with that name. */
export function insertLabel(
  tx: Db,
  owner: OwningProjectOrGroup,
  label: Omit<Insertable<LabelTable>, 'project_id' | 'namespace_id'>,
): Promise<Label | undefined> {
  return tx
    .insertInto('labels')
    .values({ ...label, ...ownerIdColumns(owner) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Whether a group above has a label with that name. */
export async function isLabelTitleInherited(
  db: Db,
  owner: OwningProjectOrGroup,
  title: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('labels')
    .innerJoin('namespace_ancestors', 'namespace_ancestors.ancestor_id', 'labels.namespace_id')
    .select('labels.id')
    .where('namespace_ancestors.namespace_id', '=', owner.namespace_id)
    .where('labels.title', '=', title)
    .executeTakeFirst()
  return row !== undefined
}

/** Updates a label. Violates a unique index if the owner has another one with the name. */
export async function updateLabel(
  tx: Db,
  id: number,
  changes: Updateable<LabelTable>,
): Promise<void> {
  await tx.updateTable('labels').set(changes).where('id', '=', id).execute()
}

export async function setLabelPriority(
  tx: Db,
  {
    label_id,
    project_id,
    priority,
  }: { label_id: number; project_id: number; priority: number | null },
): Promise<void> {
  if (priority === null) {
    await tx
      .deleteFrom('label_priorities')
      .where('label_id', '=', label_id)
      .where('project_id', '=', project_id)
      .execute()
    return
  }
  await tx
    .insertInto('label_priorities')
    .values({ label_id, project_id, priority })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'label_id']).doUpdateSet({ priority }),
    )
    .execute()
}

export async function deleteLabel(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('labels').where('id', '=', id).execute()
}

/** Subscribes or unsubscribes the user. Returns false if nothing changed. */
export async function setLabelSubscription(
  tx: Db,
  { label_id, user_id, subscribed }: { label_id: number; user_id: number; subscribed: boolean },
): Promise<boolean> {
  if (!subscribed) {
    const { numDeletedRows } = await tx
      .deleteFrom('label_subscriptions')
      .where('label_id', '=', label_id)
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }
  const row = await tx
    .insertInto('label_subscriptions')
    .values({ label_id, user_id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('label_id')
    .executeTakeFirst()
  return row !== undefined
}

export type LabelCounts = { opened: number; closed: number; merge_requests: number }

/** Returns the number of issues and open merge requests with each label that the viewer can see, by label. */
export async function countIssuablesByLabel(
  db: Db,
  {
    owner,
    viewer,
    label_ids,
  }: { owner: OwningProjectOrGroup; viewer: Viewer; label_ids: readonly number[] },
): Promise<Map<number, LabelCounts>> {
  if (label_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('issuable_labels')
    .innerJoin('issuables', 'issuables.id', 'issuable_labels.issuable_id')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .where('projects.state', '=', 'ready')
    .where((eb) => {
      const seen = (kind: 'issue' | 'merge_request') =>
        eb.and([eb('issuables.kind', '=', kind), visibleIssuableCondition(viewer, kind)(eb)])
      return eb.or([seen('issue'), seen('merge_request')])
    })
    .select(({ fn }) => [
      'issuable_labels.label_id',
      'issuables.kind',
      'issuables.state',
      fn.countAll<number>().as('number'),
    ])
    .where('issuable_labels.label_id', 'in', [...label_ids])
    .$if(owner.kind === 'project', (query) => query.where('issuables.project_id', '=', owner.id))
    .$if(owner.kind === 'group', (query) =>
      query.where('issuables.project_id', 'in', (eb) =>
        eb
          .selectFrom('projects')
          .innerJoin(
            'namespace_ancestors',
            'namespace_ancestors.namespace_id',
            'projects.namespace_id',
          )
          .select('projects.id')
          .where('namespace_ancestors.ancestor_id', '=', owner.id),
      ),
    )
    .groupBy(['issuable_labels.label_id', 'issuables.kind', 'issuables.state'])
    .execute()
  const counts = new Map<number, LabelCounts>()
  for (const { label_id, kind, state, number } of rows) {
    const count = counts.get(label_id) ?? { opened: 0, closed: 0, merge_requests: 0 }
    if (kind === 'merge_request') count.merge_requests += state === 'opened' ? Number(number) : 0
    else if (state === 'opened') count.opened += Number(number)
    else count.closed += Number(number)
    counts.set(label_id, count)
  }
  return counts
}

/** Moves the issues, priorities and subscribers of labels to another label. */
export async function mergeLabels(
  tx: Db,
  { from, to }: { from: readonly number[]; to: number },
): Promise<void> {
  if (from.length === 0) return
  const ids = [...from]
  const into = sql.lit(to)
  await tx
    .insertInto('issuable_labels')
    .columns(['issuable_id', 'label_id'])
    .expression((eb) =>
      eb
        .selectFrom('issuable_labels as old')
        .select(['old.issuable_id', sql<number>`${into}`.as('label_id')])
        .distinct()
        .where('old.label_id', 'in', ids),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .insertInto('label_priorities')
    .columns(['project_id', 'label_id', 'priority'])
    .expression((eb) =>
      eb
        .selectFrom('label_priorities as old')
        .select(['old.project_id', sql<number>`${into}`.as('label_id'), 'old.priority'])
        .where('old.label_id', 'in', ids),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .insertInto('label_subscriptions')
    .columns(['label_id', 'user_id'])
    .expression((eb) =>
      eb
        .selectFrom('label_subscriptions as old')
        .select([sql<number>`${into}`.as('label_id'), 'old.user_id'])
        .distinct()
        .where('old.label_id', 'in', ids),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .updateTable('resource_events')
    .set({ label_id: to })
    .where('label_id', 'in', ids)
    .execute()
  await tx.updateTable('board_lists').set({ label_id: to }).where('label_id', 'in', ids).execute()
  await tx.deleteFrom('labels').where('id', 'in', ids).execute()
}

/** Returns the labels with that name in the projects below a group. */
export async function findDescendantLabelIds(
  db: Db,
  { group_id, title }: { group_id: number; title: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom('labels')
    .innerJoin('projects', 'projects.id', 'labels.project_id')
    .innerJoin('namespace_ancestors', 'namespace_ancestors.namespace_id', 'projects.namespace_id')
    .select('labels.id')
    .where('namespace_ancestors.ancestor_id', '=', group_id)
    .where('labels.title', '=', title)
    .execute()
  return rows.map(({ id }) => id)
}
