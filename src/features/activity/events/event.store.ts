import {
  type Expression,
  expressionBuilder,
  type Insertable,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import {
  type BuilderWith,
  hasProjectLevelCondition,
  visibleProjectCondition,
} from '../../../access/visibility.ts'
import type { Db, EventTable, Schema } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { addDays, utcDayOf } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { visibleIssuableCondition } from '../../../subjects/issuable.ts'
import { noteOpenToViewerCondition } from '../../../subjects/note.ts'
import type { User } from '../../../subjects/user.ts'
import { hasMilestonesExpression } from '../../planning/milestones/milestone.ts'

export type NewEvent = Insertable<EventTable>

/** Inserts events; one whose origin is stored already is skipped. */
export async function insertEvents(tx: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx
    .insertInto('events')
    .values([...events])
    .onConflict((conflict) => conflict.column('origin').doNothing())
    .execute()
}

export async function findProjectCreatorId(
  db: Db,
  project_id: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('projects')
    .select('creator_id')
    .where('id', '=', project_id)
    .executeTakeFirst()
  return row?.creator_id ?? undefined
}

export type EventFilter = {
  project_id?: number
  author_id?: number
  /** Only events of the projects that this user is a member of. */
  member_id?: number
  action?: Selectable<EventTable>['action']
  target_types?: readonly string[] | undefined
  /** Only events since `from`, and before `until`. */
  from?: string
  until?: string
}

export type EventWithTarget = Selectable<EventTable> & {
  author: Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'>
  issuable_iid: number | null
  issuable_title: string | null
  milestone_iid: number | null
  milestone_title: string | null
  project_name: string | null
  project: {
    id: number
    name: string
    path: string
    description: string | null
    created_at: string
  }
  namespace: { full_path: string; full_name: string }
}

/**
 * Returns whether the viewer may read the target of the event. Without this condition lists would reveal that
 * it exists.
 */
function isSeen(db: Db, viewer: Viewer) {
  return <B>(_: B & BuilderWith<'events' | 'projects', B>): Expression<SqlBool> => {
    if (isAdmin(viewer)) return sql<SqlBool>`1 = 1`
    const eb = expressionBuilder<Schema, 'events' | 'projects'>()
    const reads = (
      access: 'projects.repository_access_level' | 'projects.wiki_access_level',
      level: number,
    ) =>
      eb.and([
        eb(access, '<>', 'disabled'),
        eb.or([
          eb.and([eb('projects.visibility', '<>', 'private'), eb(access, '=', 'enabled')]),
          hasProjectLevelCondition(eb, viewer, level),
        ]),
      ])
    const readsCode = reads('projects.repository_access_level', Level.reporter)
    const readsWiki = reads('projects.wiki_access_level', Level.guest)
    const target = (
      kind: 'issue' | 'merge_request',
      column: 'events.issuable_id' | 'noted.issuable_id',
    ) =>
      eb.exists(
        db
          .selectFrom('issuables')
          .innerJoin('projects', 'projects.id', 'issuables.project_id')
          .select('issuables.id')
          .where(sql<boolean>`issuables.id = ${sql.ref(column)}`)
          .where('issuables.kind', '=', kind)
          .where(visibleIssuableCondition(viewer, kind)),
      )
    return eb.and([
      visibleProjectCondition(viewer)(eb),
      eb.or([eb('events.action', '<>', 'pushed'), readsCode]),
      eb.or([eb('events.wiki_page', 'is', null), readsWiki]),
      eb.or([
        eb(eb.fn.coalesce('events.target_type', sql.lit('')), '<>', 'Milestone'),
        hasMilestonesExpression(eb, viewer),
      ]),
      eb.or([
        eb('events.issuable_id', 'is', null),
        target('issue', 'events.issuable_id'),
        target('merge_request', 'events.issuable_id'),
      ]),
      eb.or([
        eb('events.note_id', 'is', null),
        eb.and([
          noteOpenToViewerCondition(eb, viewer, 'noted'),
          eb.or([
            target('issue', 'noted.issuable_id'),
            target('merge_request', 'noted.issuable_id'),
          ]),
        ]),
      ]),
    ])
  }
}

function matching(db: Db, viewer: Viewer, filter: EventFilter) {
  const { project_id, author_id, member_id, action, target_types, from, until } = filter
  return db
    .selectFrom('events')
    .innerJoin('projects', 'projects.id', 'events.project_id')
    .leftJoin('notes as noted', 'noted.id', 'events.note_id')
    .where('projects.state', '=', 'ready')
    .where(isSeen(db, viewer))
    .$if(project_id !== undefined, (query) =>
      query.where('events.project_id', '=', project_id ?? 0),
    )
    .$if(author_id !== undefined, (query) => query.where('events.author_id', '=', author_id ?? 0))
    .$if(member_id !== undefined, (query) =>
      query.where((eb) =>
        hasProjectLevelCondition(
          eb,
          { user: { id: member_id ?? 0, is_admin: false, external: false } },
          Level.guest,
        ),
      ),
    )
    .$if(action !== undefined, (query) => query.where('events.action', '=', action ?? 'created'))
    .$if(target_types !== undefined, (query) =>
      query.where('events.target_type', 'in', [...(target_types ?? []), '']),
    )
    .$if(from !== undefined, (query) => query.where('events.created_at', '>=', from ?? ''))
    .$if(until !== undefined, (query) => query.where('events.created_at', '<', until ?? ''))
}

/** Returns one page of events with their targets. */
export async function listEvents(
  db: Db,
  viewer: Viewer,
  { filter, sort }: { filter: EventFilter; sort: 'asc' | 'desc' },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: EventWithTarget[]; total: number | undefined }> {
  const asked = matching(db, viewer, filter)
  const rows = await asked
    .innerJoin('users', 'users.id', 'events.author_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .leftJoin('issuables', (join) =>
      join.on((eb) =>
        eb('issuables.id', '=', eb.fn.coalesce('events.issuable_id', 'noted.issuable_id')),
      ),
    )
    .leftJoin('milestones', 'milestones.id', 'events.milestone_id')
    .selectAll('events')
    .select([
      'users.username',
      'users.name as user_name',
      'users.state as user_state',
      'users.avatar as user_avatar',
      'issuables.iid as issuable_iid',
      'issuables.title as issuable_title',
      'milestones.iid as milestone_iid',
      'milestones.title as milestone_title',
      'projects.id as projects_id',
      'projects.name as project_name',
      'projects.path as project_path',
      'projects.description as project_description',
      'projects.created_at as project_created_at',
      'namespaces.full_path as namespace_path',
      'namespaces.full_name as namespace_name',
    ])
    .orderBy('events.id', sort)
    .limit(per_page)
    .offset(offset)
    .execute()
  return {
    rows: rows.map(({ username, user_name, user_state, user_avatar, ...event }) => ({
      ...event,
      author: {
        id: event.author_id,
        username,
        name: user_name,
        state: user_state,
        avatar: user_avatar,
      },
      project: {
        id: event.projects_id,
        name: event.project_name,
        path: event.project_path,
        description: event.project_description,
        created_at: event.project_created_at,
      },
      namespace: { full_path: event.namespace_path, full_name: event.namespace_name },
    })),
    total: await countRows(db, asked.select('events.id')),
  }
}

/**
 * Counts the events of an author that the viewer can see, for each UTC day from `from` on, latest day first. At most
 * `limits.counted_rows_max` are counted: `from` is then the first day that was counted completely.
 */
export async function countEventsByDay(
  db: Db,
  viewer: Viewer,
  { author_id, from }: { author_id: number; from: string },
): Promise<{ from: string; days: { date: string; count: number }[] }> {
  const rows = await matching(db, viewer, { author_id, from: `${from}T00:00:00.000Z` })
    .select('events.created_at')
    .orderBy('events.id', 'desc')
    .limit(limits.counted_rows_max + 1)
    .execute()
  const counts = new Map<string, number>()
  for (const { created_at } of rows) {
    const date = utcDayOf(created_at)
    counts.set(date, (counts.get(date) ?? 0) + 1)
  }
  const days = [...counts].map(([date, count]) => ({ date, count }))
  if (rows.length <= limits.counted_rows_max) return { from, days }
  // The last day is dropped, since some of its events may not have been read.
  const [cut] = days.splice(-1)
  return { from: cut ? addDays(cut.date, 1) : from, days }
}
