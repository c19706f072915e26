import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import { isAdmin, type Viewer } from '../../../access/actor.ts'
import type { Db, Schema, TodoTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { type Issuable, visibleIssuableCondition } from '../../../subjects/issuable.ts'
import { noteOpenToViewerCondition } from '../../../subjects/note.ts'
import type { User } from '../../../subjects/user.ts'
import { publishChange } from '../../basics/changes/change.ts'

export type Todo = Selectable<TodoTable>

export type TodoFilter = {
  /** Includes actions of the API for which this server creates no to-do items. */
  action?: Todo['action'] | 'approval_required' | 'merge_train_removed'
  author_id?: number
  project_id?: number
  group_id?: number
  state: Todo['state']
  kind?: Issuable['kind'] | 'none'
  id?: number
}

/** Returns whether the viewer can still see the target of the to-do item. */
function isSeen(viewer: Viewer) {
  return (eb: ExpressionBuilder<Schema, 'todos'>): Expression<SqlBool> => {
    const target = (kind: Issuable['kind']) =>
      eb.exists(
        eb
          .selectFrom('issuables')
          .innerJoin('projects', 'projects.id', 'issuables.project_id')
          .select('issuables.id')
          .whereRef('issuables.id', '=', 'todos.issuable_id')
          .where('issuables.kind', '=', kind)
          .where('projects.state', '=', 'ready')
          .where(visibleIssuableCondition(viewer, kind)),
      )
    const seesNote = eb.exists(
      eb
        .selectFrom('notes')
        .innerJoin('projects', 'projects.id', 'notes.project_id')
        .select('notes.id')
        .whereRef('notes.id', '=', 'todos.note_id')
        .where((inner) => noteOpenToViewerCondition(inner, viewer, 'notes')),
    )
    return eb.and([
      eb.or([eb('todos.issuable_id', 'is', null), target('issue'), target('merge_request')]),
      ...(isAdmin(viewer) ? [] : [eb.or([eb('todos.note_id', 'is', null), seesNote])]),
    ])
  }
}

function matching(db: Db, viewer: Viewer & { user: { id: number } }, filter: TodoFilter) {
  const user_id = viewer.user.id
  const { action, author_id, project_id, group_id, state, kind, id } = filter
  return db
    .selectFrom('todos')
    .where('todos.user_id', '=', user_id)
    .where(isSeen(viewer))
    .$if(id === undefined, (query) => query.where('todos.state', '=', state))
    .$if(id !== undefined, (query) => query.where('todos.id', '=', id ?? 0))
    .$if(action !== undefined, (query) =>
      query.where('todos.action', '=', action as Todo['action']),
    )
    .$if(author_id !== undefined, (query) => query.where('todos.author_id', '=', author_id ?? 0))
    .$if(project_id !== undefined, (query) => query.where('todos.project_id', '=', project_id ?? 0))
    .$if(group_id !== undefined, (query) =>
      query.where('todos.project_id', 'in', (eb) =>
        eb
          .selectFrom('projects')
          .innerJoin(
            'namespace_ancestors',
            'namespace_ancestors.namespace_id',
            'projects.namespace_id',
          )
          .select('projects.id')
          .where('namespace_ancestors.ancestor_id', '=', group_id ?? 0),
      ),
    )
    .$if(kind !== undefined, (query) =>
      query.where('todos.issuable_id', 'in', (eb) =>
        eb
          .selectFrom('issuables')
          .select('issuables.id')
          .where(
            'issuables.kind',
            '=',
            kind === 'none' ? ('' as Issuable['kind']) : (kind ?? 'issue'),
          ),
      ),
    )
}

export type TodoWithTarget = {
  todo: Todo
  author: Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'>
  project: {
    id: number
    name: string
    path: string
    description: string | null
    created_at: string
    namespace_name: string
    namespace_path: string
  }
  issuable: Issuable | undefined
  note: string | null
}

/** Returns one page of a user's to-do items, newest first, with their targets: two queries and a count. */
export async function listTodos(
  db: Db,
  { viewer, filter }: { viewer: Viewer & { user: { id: number } }; filter: TodoFilter },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: TodoWithTarget[]; total: number | undefined }> {
  const asked = matching(db, viewer, filter)
  const rows = await asked
    .innerJoin('users', 'users.id', 'todos.author_id')
    .innerJoin('projects', 'projects.id', 'todos.project_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .leftJoin('notes', 'notes.id', 'todos.note_id')
    .selectAll('todos')
    .select([
      'users.username',
      'users.name as user_name',
      'users.state as user_state',
      'users.avatar',
      'projects.name as project_name',
      'projects.path as project_path',
      'projects.description as project_description',
      'projects.created_at as project_created_at',
      'namespaces.full_name as namespace_name',
      'namespaces.full_path as namespace_path',
      'notes.body as note_body',
    ])
    .orderBy('todos.id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  const ids = rows.flatMap(({ issuable_id }) => issuable_id ?? [])
  const issuables = await db
    .selectFrom('issuables')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .execute()
  const byId = new Map(issuables.map((row) => [row.id, row]))
  return {
    rows: rows.map((row) => ({
      todo: row,
      author: {
        id: row.author_id,
        username: row.username,
        name: row.user_name,
        state: row.user_state,
        avatar: row.avatar,
      },
      project: {
        id: row.project_id,
        name: row.project_name,
        path: row.project_path,
        description: row.project_description,
        created_at: row.project_created_at,
        namespace_name: row.namespace_name,
        namespace_path: row.namespace_path,
      },
      issuable: byId.get(row.issuable_id ?? 0),
      note: row.note_body,
    })),
    total: await countRows(db, asked.select('todos.id')),
  }
}

export async function markTodosDone(
  tx: Db,
  { user_id, id, now }: { user_id: number; id?: number; now: string },
): Promise<void> {
  await tx
    .updateTable('todos')
    .set({ state: 'done', updated_at: now })
    .where('user_id', '=', user_id)
    .where('state', '=', 'pending')
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .execute()
  await publishChange(tx, `user:${user_id}`)
}

/** Returns the id of the user's pending to-do item about it. */
export async function findPendingTodoIdOfIssuable(
  db: Db,
  { user_id, issuable_id }: { user_id: number; issuable_id: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('todos')
    .select('id')
    .where('user_id', '=', user_id)
    .where('issuable_id', '=', issuable_id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return row?.id
}

/** Returns the counts of open assigned issues, merge requests, reviews and to-do items that the user sees. */
export async function countOpenWork(
  db: Db,
  user: NonNullable<Viewer['user']>,
): Promise<{ issues: number; merge_requests: number; reviews: number; todos: number }> {
  const viewer = { user }
  const open = (kind: Issuable['kind']) =>
    db
      .selectFrom('issuables')
      .innerJoin('projects', 'projects.id', 'issuables.project_id')
      .where('issuables.kind', '=', kind)
      .where('issuables.state', '=', 'opened')
      .where('projects.state', '=', 'ready')
      .where(visibleIssuableCondition(viewer, kind))
      .select('issuables.id')
  const count = async (query: Parameters<typeof countRows>[1]) =>
    (await countRows(db, query)) ?? many
  const assigned = (kind: Issuable['kind']) =>
    count(
      open(kind)
        .innerJoin('issuable_assignees', 'issuable_assignees.issuable_id', 'issuables.id')
        .where('issuable_assignees.user_id', '=', user.id),
    )
  return {
    issues: await assigned('issue'),
    merge_requests: await assigned('merge_request'),
    reviews: await count(
      open('merge_request')
        .innerJoin('merge_request_reviewers', 'merge_request_reviewers.issuable_id', 'issuables.id')
        .where('merge_request_reviewers.user_id', '=', user.id),
    ),
    todos: await count(matching(db, viewer, { state: 'pending' }).select('todos.id')),
  }
}

/** The count that is shown when there are more to-do items than are counted. */
const many = 10_001
