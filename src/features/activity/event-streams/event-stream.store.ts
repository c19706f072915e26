import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { randomText } from '../../../kernel/ids.ts'
import { findIssuablesByIds, type Issuable, type IssuableKind } from '../../../subjects/issuable.ts'
import {
  type ChangeTopic,
  computeRecordVersion,
  type RecordVersionFacts,
  type TopicKind,
} from '../../basics/changes/change.ts'
import { readIssuableVersionFacts } from '../../planning/issuables/issuable.ts'

/** The number of ids in one query. */
const ids_at_once = 100
/** The number of newest rows whose changes count in a long list without an index by time. */
const newest_rows = 20
/** To-do items are counted up to this number. */
const counted_todos_max = 1_000

type Ids = readonly number[]
type Facts = RecordVersionFacts & { id: number }

const readers: Record<TopicKind, (db: Db, ids: Ids) => Promise<Facts[]>> = {
  issue: (db, ids) => readIssuableVersionFacts(db, 'issue', ids),
  merge_request: (db, ids) => readIssuableVersionFacts(db, 'merge_request', ids),
  job: (db, ids) =>
    db
      .selectFrom('jobs')
      .select(['id', 'status', 'updated_at', 'log_bytes', 'erased_at'])
      .where('id', 'in', ids)
      .execute(),
  pipeline: (db, ids) =>
    db
      .selectFrom('pipelines')
      .select(['id', 'status', 'updated_at'])
      .where('id', 'in', ids)
      .execute(),
  project: readProjects,
  user: readUsers,
  project_issues: readList('projects'),
  project_merge_requests: readList('projects'),
  group_issues: readList('namespaces'),
  group_merge_requests: readList('namespaces'),
}

/**
 * A list has no version in its rows: a version of all rows would reveal changes of rows that the caller cannot see. Each
 * stream begins with a new version, for which the list is reloaded.
 */
function readList(table: 'projects' | 'namespaces') {
  return async (db: Db, ids: Ids): Promise<Facts[]> => {
    const rows = await db.selectFrom(table).select('id').where('id', 'in', ids).execute()
    return rows.map(({ id }) => ({ id, begun: generateListVersion() }))
  }
}

/** Returns a unique version of a list. */
export const generateListVersion = (): string => randomText(10)

/** Reads what the versions of projects depend on. Each part uses an index and reads only a few rows. */
function readProjects(db: Db, ids: Ids): Promise<Facts[]> {
  return db
    .selectFrom('projects')
    .select((eb) => [
      'projects.id',
      'projects.updated_at',
      'projects.last_activity_at',
      eb
        .selectFrom('pipelines')
        .select((of) => of.fn.max('pipelines.updated_at').as('at'))
        .whereRef('pipelines.project_id', '=', 'projects.id')
        .as('pipelines'),
      eb
        .selectFrom('events')
        .select((of) => of.fn.max('events.id').as('id'))
        .whereRef('events.project_id', '=', 'projects.id')
        .as('events'),
      eb
        .selectFrom('deployments')
        .select((of) => of.fn.max('deployments.iid').as('iid'))
        .whereRef('deployments.project_id', '=', 'projects.id')
        .as('deployments'),
      newestOf('environments').as('environments'),
      newestOf('pipeline_schedules').as('schedules'),
    ])
    .where('projects.id', 'in', ids)
    .execute()
}

/** Returns the number of rows of the project, and when the newest of them changed. */
function newestOf(table: 'environments' | 'pipeline_schedules') {
  return sql<string>`(select cast(count(*) as text) || coalesce(cast(max(updated_at) as text), '') from (
    select updated_at from ${sql.table(table)} where project_id = projects.id order by id desc limit ${sql.lit(newest_rows)}
  ) newest)`
}

function readUsers(db: Db, ids: Ids): Promise<Facts[]> {
  return db
    .selectFrom('users')
    .select((eb) => [
      'users.id',
      eb
        .selectFrom('todos')
        .select((of) => of.fn.max('todos.id').as('id'))
        .whereRef('todos.user_id', '=', 'users.id')
        .where('todos.state', '=', 'pending')
        .as('newest'),
      sql<number>`(select count(*) from (
        select id from todos where user_id = users.id and state = 'pending' limit ${sql.lit(counted_todos_max)}
      ) pending)`.as('pending'),
    ])
    .where('users.id', 'in', ids)
    .execute()
}

/** Returns the versions that pages compare: each stays the same as long as nothing has changed. Deleted records have none. */
export async function readTopicVersions(
  db: Db,
  topics: Iterable<ChangeTopic>,
): Promise<Map<ChangeTopic, string>> {
  const parts = [...topics].map(splitChangeTopic)
  const versions = new Map<ChangeTopic, string>()
  for (const [kind, read] of Object.entries(readers) as [TopicKind, typeof readers.job][]) {
    const ids = parts.flatMap(([of, id]) => (of === kind ? [id] : []))
    for (let at = 0; at < ids.length; at += ids_at_once) {
      // Yields after each batch, since SQLite answers synchronously and would block other requests.
      if (at > 0) await setImmediate()
      const rows = await read(db, ids.slice(at, at + ids_at_once))
      for (const row of rows) versions.set(`${kind}:${row.id}`, computeRecordVersion(row))
    }
  }
  return versions
}

export function splitChangeTopic(topic: ChangeTopic): [TopicKind, number] {
  const [kind, id] = topic.split(':')
  return [kind as TopicKind, Number(id)]
}

/** Returns the projects of jobs, pipelines, issues and merge requests; missing records are omitted. */
export async function findProjectIdsByTopic(
  db: Db,
  topics: readonly ChangeTopic[],
): Promise<Map<ChangeTopic, number>> {
  const idsOf = (wanted: TopicKind) =>
    topics.map(splitChangeTopic).flatMap(([kind, id]) => (kind === wanted ? [id] : []))
  const find = (table: 'jobs' | 'pipelines' | 'issuables', ids: Ids) =>
    ids.length === 0
      ? []
      : db.selectFrom(table).select(['id', 'project_id']).where('id', 'in', ids).execute()
  const findThem = (kind: IssuableKind) => find('issuables', idsOf(kind))
  const [jobs, pipelines, issues, requests] = await Promise.all([
    find('jobs', idsOf('job')),
    find('pipelines', idsOf('pipeline')),
    findThem('issue'),
    findThem('merge_request'),
  ])
  const projectsOf = (kind: TopicKind) => idsOf(kind).map((id) => ({ id, project_id: id }))
  const entries = (kind: TopicKind, rows: readonly { id: number; project_id: number }[]) =>
    rows.map(({ id, project_id }): [ChangeTopic, number] => [`${kind}:${id}`, project_id])
  return new Map([
    ...entries('job', jobs),
    ...entries('pipeline', pipelines),
    ...entries('issue', issues),
    ...entries('merge_request', requests),
    ...(['project', 'project_issues', 'project_merge_requests'] as const).flatMap((kind) =>
      entries(kind, projectsOf(kind)),
    ),
  ])
}

/** An issue or merge request that a user follows; `assignees` are those of a confidential one. */
export type FollowedIssuable = { issuable: Issuable; assignees: ReadonlySet<number> }

/** Returns what decides who may read the issues and merge requests among the topics; missing ones are omitted. */
export async function findFollowedIssuables(
  db: Db,
  topics: readonly ChangeTopic[],
): Promise<Map<ChangeTopic, FollowedIssuable>> {
  const ids = topics
    .map(splitChangeTopic)
    .flatMap(([kind, id]) => (kind === 'issue' || kind === 'merge_request' ? [id] : []))
  const found = [...(await findIssuablesByIds(db, [...new Set(ids)])).values()]
  const confidential = found.filter((issuable) => issuable.confidential).map(({ id }) => id)
  const rows =
    confidential.length === 0
      ? []
      : await db
          .selectFrom('issuable_assignees')
          .select(['issuable_id', 'user_id'])
          .where('issuable_id', 'in', confidential)
          .execute()
  return new Map(
    found.map((issuable): [ChangeTopic, FollowedIssuable] => [
      `${issuable.kind}:${issuable.id}`,
      {
        issuable,
        assignees: new Set(
          rows.flatMap(({ issuable_id, user_id }) =>
            issuable_id === issuable.id ? [user_id] : [],
          ),
        ),
      },
    ]),
  )
}

/** Returns the ids of the groups above each project, by project id. */
export async function findAncestorGroupIds(db: Db, ids: Ids): Promise<Map<number, number[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('projects')
    .innerJoin('namespace_ancestors', 'namespace_ancestors.namespace_id', 'projects.namespace_id')
    .select(['projects.id', 'namespace_ancestors.ancestor_id'])
    .where('projects.id', 'in', ids)
    .execute()
  const above = Map.groupBy(rows, ({ id }) => id)
  return new Map([...above].map(([id, of]) => [id, of.map(({ ancestor_id }) => ancestor_id)]))
}

/** Returns a number that changes when another process has written to this SQLite file (sqlite.org: PRAGMA data_version). */
export async function readSqliteDataVersion(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db)
  return rows[0]?.data_version
}
