// Finds the users whom news may concern, in batches by id, and the settings that decide whether they are notified.
import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'
import { type NoteReader, visibleNotesCondition } from '../../../subjects/note.ts'
import type { Project } from '../../../subjects/project.ts'
import type { IssuableInvolvement, NotificationSettingWithPlace } from './choose-recipients.ts'

/** Whether emails are disabled for the project or a group above it. */
export async function hasEmailsDisabled(db: Db, project_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('projects')
    .select('projects.id')
    .where('projects.id', '=', project_id)
    .where((eb) =>
      eb.or([
        eb('projects.emails_disabled', '=', true),
        eb.exists(
          eb
            .selectFrom('namespace_ancestors as above')
            .innerJoin('namespaces', 'namespaces.id', 'above.ancestor_id')
            .select('namespaces.id')
            .whereRef('above.namespace_id', '=', 'projects.namespace_id')
            .where('namespaces.emails_disabled', '=', true),
        ),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

export type NoteForNotification = Awaited<ReturnType<typeof listNotesForNotification>>[number]

/** Returns the current notes with these ids, in the order of the ids; with `reader`, only those that the reader can see. */
export async function listNotesForNotification(
  db: Db,
  ids: readonly number[] = [],
  reader?: NoteReader,
) {
  if (ids.length === 0) return []
  let query = db
    .selectFrom('notes')
    .select(['id', 'body', 'confidential', 'position'])
    .where('id', 'in', [...ids])
  if (reader) query = query.where(visibleNotesCondition(db, reader))
  const notes = await query.execute()
  return ids.flatMap((id) => notes.find((note) => note.id === id) ?? [])
}

export async function findUserIdsByUsername(db: Db, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(lowerCaseExpression('username'), 'in', [...names])
    .execute()
  return rows.map(({ id }) => id)
}

/** What a change is about, to find the users whom it may concern. */
export type NotificationScope = {
  issuable: { id: number; author_id: number }
  project: Pick<Project, 'id' | 'namespace_id'>
  /**
   * Whether participants and watchers may be notified too, and not only the users of `direct_ids` and
   * `label_ids`.
   */
  isForAll: boolean
  direct_ids: readonly number[]
  /** Labels whose subscribers are notified. */
  label_ids: readonly number[] | 'of the issuable'
}

const connection = (name: IssuableInvolvement) => sql.lit(name).as('connection')

/** Selects one row for each involvement of each user. */
function connections(
  db: Db,
  { issuable, project, isForAll, direct_ids, label_ids }: NotificationScope,
) {
  let query = db
    .selectFrom('users')
    .select(['users.id as user_id', connection('news')])
    .where('users.id', 'in', [0, ...direct_ids])
    .unionAll(
      db
        .selectFrom('label_subscriptions')
        .select(['label_subscriptions.user_id', connection('label')])
        .where('label_subscriptions.label_id', 'in', (eb) =>
          label_ids === 'of the issuable'
            ? eb
                .selectFrom('issuable_labels')
                .select('issuable_labels.label_id')
                .where('issuable_labels.issuable_id', '=', issuable.id)
            : eb
                .selectFrom('labels')
                .select('labels.id')
                .where('labels.id', 'in', [0, ...label_ids]),
        ),
    )
  if (!isForAll) return query
  const tables = {
    assignee: 'issuable_assignees',
    reviewer: 'merge_request_reviewers',
    named: 'issuable_mentions',
  } as const
  for (const [name, table] of Object.entries(tables)) {
    query = query.unionAll(
      db
        .selectFrom(table)
        .select([`${table}.user_id`, connection(name as IssuableInvolvement)])
        .where(`${table}.issuable_id`, '=', issuable.id),
    )
  }
  return query
    .unionAll(
      db
        .selectFrom('users')
        .select(['users.id as user_id', connection('author')])
        .where('users.id', '=', issuable.author_id),
    )
    .unionAll(
      db
        .selectFrom('notes')
        .select(['notes.author_id as user_id', connection('commenter')])
        .where('notes.issuable_id', '=', issuable.id)
        .where('notes.system', '=', false),
    )
    .unionAll(
      db
        .selectFrom('issuable_subscriptions as one')
        .select(['one.user_id', connection('subscriber')])
        .where('one.issuable_id', '=', issuable.id)
        .where('one.subscribed', '=', true),
    )
    .unionAll(watchersOf(db).where('setting.project_id', '=', project.id))
    .unionAll(
      watchersOf(db).where('setting.namespace_id', 'in', (eb) =>
        eb
          .selectFrom('namespace_ancestors as above')
          .select('above.ancestor_id')
          .where('above.namespace_id', '=', project.namespace_id),
      ),
    )
    .unionAll(
      everywhere(db).where('setting.user_id', 'in', (eb) =>
        eb
          .selectFrom('namespace_access')
          .select('namespace_access.user_id')
          .where('namespace_access.namespace_id', '=', project.namespace_id),
      ),
    )
    .unionAll(
      everywhere(db).where('setting.user_id', 'in', (eb) =>
        eb
          .selectFrom('project_access')
          .select('project_access.user_id')
          .where('project_access.project_id', '=', project.id),
      ),
    )
}

/**
 * Selects the settings by which users are notified of threads they do not participate in; each use costs one index
 * lookup.
 */
function watchersOf(db: Db) {
  return db
    .selectFrom('notification_settings as setting')
    .select(['setting.user_id', connection('setting')])
    .where('setting.level', 'in', ['watch', 'custom'])
}

/** Selects global settings, which apply to members of the project. */
function everywhere(db: Db) {
  return watchersOf(db)
    .where('setting.project_id', 'is', null)
    .where('setting.namespace_id', 'is', null)
}

/** Returns the ids of the next users whom the news may concern, ordered by id, without its author. */
export async function listNotificationCandidateIds(
  db: Db,
  scope: NotificationScope,
  { after, besides, limit }: { after: number; besides: number | null; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom(connections(db, scope).as('concerned'))
    .select('concerned.user_id')
    .distinct()
    .where('concerned.user_id', '>', after)
    .where('concerned.user_id', '<>', besides ?? 0)
    .orderBy('concerned.user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Returns how each user is involved. */
export async function findInvolvementsByUser(
  db: Db,
  scope: NotificationScope,
  user_ids: readonly number[],
): Promise<Map<number, Set<IssuableInvolvement>>> {
  const rows = await db
    .selectFrom(connections(db, scope).as('concerned'))
    .select(['concerned.user_id', 'concerned.connection'])
    .distinct()
    .where('concerned.user_id', 'in', [...user_ids])
    .execute()
  const groups = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map(
    [...groups].map(([id, of]) => [id, new Set(of.map(({ connection }) => connection))]),
  )
}

/** Returns the users' settings that may apply in the project, by user. */
export async function findNotificationSettingsByUser(
  db: Db,
  project: NotificationScope['project'],
  user_ids: readonly number[],
): Promise<Map<number, NotificationSettingWithPlace[]>> {
  const rows = await db
    .selectFrom('notification_settings')
    .leftJoin('namespace_ancestors as above', (join) =>
      join
        .onRef('above.ancestor_id', '=', 'notification_settings.namespace_id')
        .on('above.namespace_id', '=', project.namespace_id),
    )
    .select([
      'notification_settings.user_id',
      'notification_settings.project_id',
      'notification_settings.namespace_id',
      'notification_settings.level',
      'notification_settings.events',
      'above.depth',
    ])
    .where('notification_settings.user_id', 'in', [...user_ids])
    .where((eb) =>
      eb.or([
        eb('notification_settings.project_id', '=', project.id),
        eb('above.depth', 'is not', null),
        eb.and([
          eb('notification_settings.project_id', 'is', null),
          eb('notification_settings.namespace_id', 'is', null),
        ]),
      ]),
    )
    .execute()
  return Map.groupBy(rows, ({ user_id }) => user_id)
}

/** Returns the users who have unsubscribed from the thread. */
export async function filterUnsubscribedUserIds(
  db: Db,
  issuable_id: number,
  user_ids: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('issuable_subscriptions')
    .select('user_id')
    .where('issuable_id', '=', issuable_id)
    .where('user_id', 'in', [...user_ids])
    .where('subscribed', '=', false)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Returns the address that a user has chosen for these emails, confirmed or not. */
export async function findNotificationEmail(db: Db, user_id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('notification_settings')
    .select('notification_email')
    .where('user_id', '=', user_id)
    .where('project_id', 'is', null)
    .where('namespace_id', 'is', null)
    .executeTakeFirst()
  return row?.notification_email ?? undefined
}

/** Returns the names of these users, in the order of their ids. */
export async function findNamesOfUsers(db: Db, ids: readonly number[] = []): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select('name')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}

export async function findTitlesOfLabels(db: Db, ids: readonly number[] = []): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('labels')
    .select('title')
    .where('id', 'in', [...ids])
    .orderBy('title')
    .execute()
  return rows.map(({ title }) => title)
}

export async function listProjectIdsAfter(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('id', '>', after)
    .where('state', '=', 'ready')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the open issues of these projects that are due on that day. */
export async function listIssuesDueOn(db: Db, project_ids: readonly number[], day: string) {
  if (project_ids.length === 0) return []
  return db
    .selectFrom('issuables')
    .select(['id', 'project_id'])
    .where('project_id', 'in', [...project_ids])
    .where('kind', '=', 'issue')
    .where('due_date', '=', day)
    .where('state', '=', 'opened')
    .execute()
}

/** Returns an ended pipeline, its user, and the result of the previous one on its branch or tag. */
export async function findPipelineForNotification(db: Db, id: number) {
  const pipeline = await db
    .selectFrom('pipelines')
    .select(['id', 'project_id', 'user_id', 'ref', 'tag', 'sha', 'status', 'parent_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!pipeline) return undefined
  const before = await db
    .selectFrom('pipelines')
    .select('status')
    .where('project_id', '=', pipeline.project_id)
    .where('ref', '=', pipeline.ref)
    .where('tag', '=', pipeline.tag)
    .where('parent_id', 'is', null)
    .where('id', '<', id)
    .where('status', 'in', ['failed', 'success'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { ...pipeline, status_before: before?.status }
}
