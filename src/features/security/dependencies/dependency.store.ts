import { setImmediate } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import { visibleProjectCondition } from '../../../access/visibility.ts'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db, DependencyTable } from '../../../db/db.ts'
import { byteOrderExpression, containsTextCondition, toJson } from '../../../db/dialect.ts'
import { countRows, totalFromPage } from '../../../db/paginate.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  downloadableCodeCondition,
  type Project,
  readableSecurityFindingsCondition,
} from '../../../subjects/project.ts'
import { projectIdsWithinGroupQuery } from '../../../subjects/subtree.ts'
import { vulnerabilitySeverities } from '../vulnerabilities/finding.ts'
import type { FoundDependency } from './dependency-collection.ts'

export type Dependency = Selectable<DependencyTable>

/** The numbers of lists and rows that are deleted at once. */
const removed_lists = 100
const removed_rows = 1000

/** The reports that dependency lists are made from. */
export const dependencyReportTypes = ['dependency_scanning', 'cyclonedx'] as const

/**
 * Returns the newest successful pipeline of a branch with dependency reports, among its newest
 * `limits.dependencies.pipelines_max` successful ones.
 */
export const findNewestPipelineWithDependencyReports = defineRowLoader(
  (db, given: { project_id: number; ref: string }) =>
    db
      .selectFrom(
        db
          .selectFrom('pipelines')
          .select('id')
          .where('project_id', '=', given.project_id)
          .where('ref', '=', given.ref)
          .where('tag', '=', false)
          .where('status', '=', 'success')
          .where('parent_id', 'is', null)
          .where('merge_request_id', 'is', null)
          .orderBy('id', 'desc')
          .limit(limits.dependencies.pipelines_max)
          .as('newest'),
      )
      .select('newest.id')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('jobs')
            .innerJoin('job_artifacts', 'job_artifacts.job_id', 'jobs.id')
            .select('jobs.id')
            .whereRef('jobs.pipeline_id', '=', 'newest.id')
            .where('jobs.retried', '=', false)
            .where('job_artifacts.file_type', 'in', dependencyReportTypes),
        ),
      )
      .orderBy('newest.id', 'desc')
      .limit(1),
)

/** Whether a pipeline has dependency reports and ran for the default branch of its project. */
export async function hasDependencyReports(tx: Db, pipeline_id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('jobs')
    .innerJoin('job_artifacts', 'job_artifacts.job_id', 'jobs.id')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .innerJoin('projects', 'projects.id', 'pipelines.project_id')
    .select('jobs.id')
    .where('jobs.pipeline_id', '=', pipeline_id)
    .where('jobs.retried', '=', false)
    .where('job_artifacts.file_type', 'in', dependencyReportTypes)
    .whereRef('pipelines.ref', '=', 'projects.default_branch')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const readyList = defineRowLoader((db, given: { project_id: number; source: string }) =>
  db
    .selectFrom('dependency_lists')
    .select('id')
    .where('project_id', '=', given.project_id)
    .where('source', '=', given.source)
    .where('ready_at', 'is not', null),
)

/** Returns the complete list of a source; undefined while there is none. */
export async function findReadyDependencyListId(
  db: Db,
  list: { project_id: number; source: string },
): Promise<number | undefined> {
  return (await readyList(db, list))?.id
}

type Listed = {
  offset: number
  per_page: number
  package_managers: readonly string[]
  search?: string | undefined
  order_by?: 'name' | 'severity' | undefined
}

/** Selects the dependencies of all lists that match the filters. */
function matchingDependenciesQuery(
  db: Db,
  { package_managers, search }: Pick<Listed, 'package_managers' | 'search'>,
) {
  return db
    .selectFrom('dependencies')
    .$if(package_managers.length > 0, (rows) =>
      rows.where('package_manager', 'in', [...package_managers]),
    )
    .$if(Boolean(search), (rows) =>
      rows.where(containsTextCondition(db, 'dependencies.name', search ?? '')),
    )
}

/** Returns one page of a list, in its order or by severity, the most vulnerable first. */
export async function listDependencies(
  db: Db,
  list_id: number,
  { offset, per_page, order_by, ...filter }: Listed,
): Promise<{ rows: Dependency[]; total: number | undefined }> {
  const query = matchingDependenciesQuery(db, filter).where('list_id', '=', list_id)
  const rows = await query
    .selectAll()
    .$if(order_by === 'severity', (some) => some.orderBy('severity_rank', 'desc'))
    .orderBy('id')
    .limit(per_page)
    .offset(offset)
    .execute()
  const total = await totalFromPage({ found: rows.length, offset, per_page }, () =>
    countRows(db, query.select('id')),
  )
  return { rows, total }
}

/** Selects the newest ready list of each project. */
function newestDependencyListIdsQuery(
  db: Db,
  projects: ReturnType<typeof projectIdsWithinGroupQuery>,
) {
  return db
    .selectFrom('dependency_lists')
    .select(({ fn }) => fn.max('dependency_lists.id').as('id'))
    .where('ready_at', 'is not', null)
    .where('project_id', 'in', projects)
    .groupBy('project_id')
}

export type GroupDependency = Dependency & {
  has_vulnerabilities: boolean
  project: Pick<Project, 'id' | 'name' | 'full_path' | 'full_name' | 'default_branch'>
}

/**
 * Returns one page of the dependencies of the projects in and below a group whose code the viewer may read, by name or by
 * severity, the most vulnerable first. Vulnerabilities that the viewer may not read do not count.
 */
export async function listGroupDependencies(
  db: Db,
  { group_id, viewer }: { group_id: number; viewer: Viewer },
  { offset, per_page, order_by, ...filter }: Listed,
): Promise<{ rows: GroupDependency[]; total: number | undefined }> {
  const projects = projectIdsWithinGroupQuery(db, group_id).where('projects.state', '=', 'ready')
  const readable = projects
    .where(visibleProjectCondition(viewer))
    .where(downloadableCodeCondition(viewer))
  const watched = projects.where(readableSecurityFindingsCondition(viewer))
  const query = matchingDependenciesQuery(db, filter).where(
    'list_id',
    'in',
    newestDependencyListIdsQuery(db, readable),
  )
  const rank = sql<number>`case when ${sql.ref('dependencies.list_id')}
    in ${newestDependencyListIdsQuery(db, watched)} then severity_rank else 0 end`
  const order = (some: typeof query) =>
    (order_by === 'severity' ? some.orderBy(rank, 'desc') : some)
      .orderBy(byteOrderExpression(db, 'dependencies.name'))
      .orderBy('dependencies.id')
  // The inner query sorts ids only, since rows are wide.
  const page = order(query).select('dependencies.id').limit(per_page).offset(offset)
  const found = await order(db.selectFrom('dependencies').where('dependencies.id', 'in', page))
    .innerJoin('dependency_lists', 'dependency_lists.id', 'dependencies.list_id')
    .innerJoin('projects', 'projects.id', 'dependency_lists.project_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .selectAll('dependencies')
    .select((eb) =>
      sql<boolean>`${readableSecurityFindingsCondition(viewer)(eb)}`.as('has_vulnerabilities'),
    )
    .select(['projects.id as project_id', 'projects.name as project_name', 'projects.path'])
    .select(['projects.default_branch', 'namespaces.full_path', 'namespaces.full_name'])
    .execute()
  const rows = found.map(({ project_id, project_name, path, full_path, full_name, ...row }) => ({
    ...row,
    has_vulnerabilities: Boolean(row.has_vulnerabilities),
    project: {
      id: project_id,
      name: project_name,
      full_path: `${full_path}/${path}`,
      full_name: `${full_name} / ${project_name}`,
      default_branch: row.default_branch,
    },
  }))
  const total = await totalFromPage({ found: rows.length, offset, per_page }, () =>
    countRows(db, query.select('dependencies.id')),
  )
  return { rows, total }
}

/** Returns the source of the newest ready list of a project; undefined while it has none. */
export async function findNewestDependencyListSource(
  db: Db,
  project_id: number,
): Promise<string | undefined> {
  return (await newestReadyList(db, { project_id }))?.source
}

const newestReadyList = defineRowLoader((db, { project_id }: { project_id: number }) =>
  db
    .selectFrom('dependency_lists')
    .select('source')
    .where('project_id', '=', project_id)
    .where('ready_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1),
)

/**
 * Changes the source of a ready list to one for which the list is also correct. Does nothing if the other source has a ready
 * list already.
 */
export async function changeDependencyListSource(
  db: Db,
  { project_id, from, to }: { project_id: number; from: string; to: string },
): Promise<void> {
  await db
    .updateTable('dependency_lists')
    .set({ source: to })
    .where('project_id', '=', project_id)
    .where('source', '=', from)
    .where('ready_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('dependency_lists as other')
            .select('other.id')
            .where('other.project_id', '=', project_id)
            .where('other.source', '=', to)
            .where('other.ready_at', 'is not', null),
        ),
      ),
    )
    .execute()
}

/** Returns some projects with code and without a list, newest first, that were created before the given one. */
export async function listProjectIdsWithoutDependencyList(
  db: Db,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('projects')
    .select('projects.id')
    .where('projects.state', '=', 'ready')
    .where('projects.default_branch', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('dependency_lists')
            .select('dependency_lists.id')
            .whereRef('dependency_lists.project_id', '=', 'projects.id')
            .where('ready_at', 'is not', null),
        ),
      ),
    )
    .$if(before !== undefined, (query) => query.where('projects.id', '<', before ?? 0))
    .orderBy('projects.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Inserts a list that is not visible until it is complete. */
export async function insertDependencyList(
  db: Db,
  list: { project_id: number; source: string; created_at: string },
): Promise<number> {
  const { id } = await db
    .insertInto('dependency_lists')
    .values({ ...list, ready_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the rank of a severity, from 1 (info) to 6 (critical). */
const rankOf = (severity: string) =>
  (vulnerabilitySeverities as readonly string[]).indexOf(severity) + 1

/** Appends dependencies to a list. */
export async function insertDependencies(
  db: Db,
  list_id: number,
  found: readonly FoundDependency[],
): Promise<void> {
  await db
    .insertInto('dependencies')
    .values(
      found.map(({ vulnerabilities, licenses, ...dependency }) => ({
        ...dependency,
        list_id,
        vulnerabilities: toJson(vulnerabilities),
        licenses: toJson(licenses),
        severity_rank: Math.max(0, ...vulnerabilities.map(({ severity }) => rankOf(severity))),
      })),
    )
    .execute()
}

/** Marks a list as ready. Violates a unique index if another list of the same source is ready. */
export async function markDependencyListReady(tx: Db, id: number, ready_at: string): Promise<void> {
  await tx.updateTable('dependency_lists').set({ ready_at }).where('id', '=', id).execute()
}

/** Returns the ids of a project's lists, ready or not, some at a time. */
export async function listDependencyListIds(db: Db, project_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('dependency_lists')
    .select('id')
    .where('project_id', '=', project_id)
    .limit(removed_lists)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the ids of all ready lists of a project except the newest, some at a time. */
export async function listReplacedDependencyListIds(db: Db, project_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('dependency_lists')
    .select('id')
    .where('project_id', '=', project_id)
    .where('ready_at', 'is not', null)
    .orderBy('id', 'desc')
    .offset(1)
    .limit(removed_lists)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns lists that were started before a time and are not ready, some at a time. */
export async function listUnfinishedDependencyLists(db: Db, before: string): Promise<number[]> {
  const rows = await db
    .selectFrom('dependency_lists')
    .select('id')
    .where('ready_at', 'is', null)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(removed_lists)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes a list, a thousand rows at a time. It is not visible meanwhile. */
export async function deleteDependencyList(db: Db, id: number): Promise<void> {
  await db.updateTable('dependency_lists').set({ ready_at: null }).where('id', '=', id).execute()
  for (let removed = removed_rows; removed === removed_rows; ) {
    const result = await db
      .deleteFrom('dependencies')
      .where('id', 'in', (eb) =>
        eb.selectFrom('dependencies').select('id').where('list_id', '=', id).limit(removed_rows),
      )
      .executeTakeFirst()
    removed = Number(result.numDeletedRows)
    // Yields after each batch, since SQLite answers synchronously and would block other requests.
    await setImmediate()
  }
  await db.deleteFrom('dependency_lists').where('id', '=', id).execute()
}
