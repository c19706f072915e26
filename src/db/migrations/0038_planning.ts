import { type ColumnDefinitionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import { identityColumn, isPostgres } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>
type Column = ColumnDefinitionBuilder

/** What is planned and talked about: labels, milestones, issues and what merge requests share with them. */
export async function up(db: AnyDb): Promise<void> {
  await makeLabels(db)
  await makeMilestones(db)
  await makeIssuables(db)
  await makeIssuableDetails(db)
  await makeNotes(db)
  await makeHistory(db)
  await makeBoards(db)
}

const required = (c: Column) => c.notNull()
const needed = (table: string) => (c: Column) =>
  c.notNull().references(`${table}.id`).onDelete('cascade')
const owned = (table: string) => (c: Column) => c.references(`${table}.id`).onDelete('cascade')
const loose = (table: string) => (c: Column) => c.references(`${table}.id`).onDelete('set null')
const zero = (c: Column) => c.notNull().defaultTo(0)
const no = (c: Column) => c.notNull().defaultTo(false)

async function makeLabels(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('labels')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', owned('projects'))
    .addColumn('namespace_id', 'bigint', owned('namespaces'))
    .addColumn('title', 'text', required)
    .addColumn('description', 'text')
    .addColumn('color', 'text', required)
    .addColumn('created_at', 'timestamptz', required)
    .addColumn('updated_at', 'timestamptz', required)
    .execute()
  await unique(db, 'labels_project on labels (project_id, title)')
  await unique(db, 'labels_namespace on labels (namespace_id, title)')

  await db.schema
    .createTable('label_priorities')
    .addColumn('label_id', 'bigint', needed('labels'))
    .addColumn('project_id', 'bigint', needed('projects'))
    .addColumn('priority', 'integer', required)
    .addPrimaryKeyConstraint('label_priorities_key', ['project_id', 'label_id'])
    .execute()
  await index(db, 'label_priorities_label on label_priorities (label_id)')

  await db.schema
    .createTable('label_subscriptions')
    .addColumn('label_id', 'bigint', needed('labels'))
    .addColumn('user_id', 'bigint', needed('users'))
    .addPrimaryKeyConstraint('label_subscriptions_key', ['label_id', 'user_id'])
    .execute()
  await index(db, 'label_subscriptions_user on label_subscriptions (user_id)')
}

async function makeMilestones(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('group_internal_ids')
    .addColumn('namespace_id', 'bigint', needed('namespaces'))
    .addColumn('usage', 'text', required)
    .addColumn('last_value', 'integer', required)
    .addPrimaryKeyConstraint('group_internal_ids_key', ['namespace_id', 'usage'])
    .execute()

  await db.schema
    .createTable('milestones')
    .addColumn('id', id.type, id.build)
    .addColumn('iid', 'integer', required)
    .addColumn('project_id', 'bigint', owned('projects'))
    .addColumn('namespace_id', 'bigint', owned('namespaces'))
    .addColumn('title', 'text', required)
    .addColumn('description', 'text')
    .addColumn('state', 'text', required)
    .addColumn('start_date', 'date')
    .addColumn('due_date', 'date')
    .addColumn('created_at', 'timestamptz', required)
    .addColumn('updated_at', 'timestamptz', required)
    .execute()
  await unique(db, 'milestones_project_iid on milestones (project_id, iid)')
  await unique(db, 'milestones_namespace_iid on milestones (namespace_id, iid)')
  await unique(db, 'milestones_project on milestones (project_id, title)')
  await unique(db, 'milestones_namespace on milestones (namespace_id, title)')
}

async function makeIssuables(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('issuables')
    .addColumn('id', id.type, id.build)
    .addColumn('iid', 'integer', required)
    .addColumn('kind', 'text', required)
    .addColumn('project_id', 'bigint', needed('projects'))
    .addColumn('author_id', 'bigint', needed('users'))
    .addColumn('title', 'text', required)
    .addColumn('description', 'text')
    .addColumn('state', 'text', required)
    .addColumn('confidential', 'boolean', no)
    .addColumn('discussion_locked', 'boolean')
    .addColumn('milestone_id', 'bigint', loose('milestones'))
    .addColumn('due_date', 'date')
    .addColumn('weight', 'integer')
    .addColumn('issue_type', 'text', (c) => c.notNull().defaultTo('issue'))
    .addColumn('position', 'double precision')
    .addColumn('moved_to_id', 'bigint', loose('issuables'))
    .addColumn('time_estimate_s', 'integer', zero)
    .addColumn('time_spent_s', 'integer', zero)
    .addColumn('upvotes', 'integer', zero)
    .addColumn('downvotes', 'integer', zero)
    .addColumn('notes_count', 'integer', zero)
    .addColumn('task_count', 'integer', zero)
    .addColumn('completed_task_count', 'integer', zero)
    .addColumn('merge_requests_count', 'integer', zero)
    .addColumn('created_at', 'timestamptz', required)
    .addColumn('updated_at', 'timestamptz', required)
    .addColumn('updated_by_id', 'bigint', loose('users'))
    .addColumn('last_edited_at', 'timestamptz')
    .addColumn('last_edited_by_id', 'bigint', loose('users'))
    .addColumn('closed_at', 'timestamptz')
    .addColumn('closed_by_id', 'bigint', loose('users'))
    .execute()
  await unique(db, 'issuables_iid on issuables (project_id, kind, iid)')
  await index(db, 'issuables_created on issuables (project_id, kind, created_at, id)')
  await index(db, 'issuables_updated on issuables (project_id, kind, updated_at, id)')
  await index(db, 'issuables_state on issuables (project_id, kind, state, created_at, id)')
  await index(db, 'issuables_due on issuables (project_id, kind, due_date, id)')
  await index(db, 'issuables_all on issuables (kind, created_at, id)')
  await index(db, 'issuables_author on issuables (author_id, kind, created_at, id)')
  await index(db, 'issuables_milestone on issuables (milestone_id, kind, created_at, id)')
  await index(db, 'issuables_moved on issuables (moved_to_id) where moved_to_id is not null')
  for (const column of ['updated_by_id', 'last_edited_by_id', 'closed_by_id']) {
    await index(db, `issuables_${column} on issuables (${column}) where ${column} is not null`)
  }
  await indexTexts(db)

  await db.schema
    .createTable('issuable_counts')
    .addColumn('project_id', 'bigint', needed('projects'))
    .addColumn('kind', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('confidential', 'boolean', required)
    .addColumn('number', 'integer', required)
    .addPrimaryKeyConstraint('issuable_counts_key', ['project_id', 'kind', 'state', 'confidential'])
    .execute()
}

async function makeIssuableDetails(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  for (const [table, other] of [
    ['issuable_assignees', 'user'],
    ['issuable_labels', 'label'],
    ['issuable_mentions', 'user'],
  ] as const) {
    await db.schema
      .createTable(table)
      .addColumn('issuable_id', 'bigint', needed('issuables'))
      .addColumn(`${other}_id`, 'bigint', needed(`${other}s`))
      .addPrimaryKeyConstraint(`${table}_key`, ['issuable_id', `${other}_id`])
      .execute()
    await index(db, `${table}_${other} on ${table} (${other}_id, issuable_id)`)
  }

  await db.schema
    .createTable('issuable_subscriptions')
    .addColumn('issuable_id', 'bigint', needed('issuables'))
    .addColumn('user_id', 'bigint', needed('users'))
    .addColumn('subscribed', 'boolean', required)
    .addPrimaryKeyConstraint('issuable_subscriptions_key', ['issuable_id', 'user_id'])
    .execute()
  await index(db, 'issuable_subscriptions_user on issuable_subscriptions (user_id)')

  await db.schema
    .createTable('issue_links')
    .addColumn('id', id.type, id.build)
    .addColumn('source_id', 'bigint', needed('issuables'))
    .addColumn('target_id', 'bigint', needed('issuables'))
    .addColumn('link_type', 'text', required)
    .addColumn('created_at', 'timestamptz', required)
    .addColumn('updated_at', 'timestamptz', required)
    .execute()
  await unique(db, 'issue_links_pair on issue_links (source_id, target_id)')
  await index(db, 'issue_links_target on issue_links (target_id)')

  await db.schema
    .createTable('timelogs')
    .addColumn('id', id.type, id.build)
    .addColumn('issuable_id', 'bigint', needed('issuables'))
    .addColumn('user_id', 'bigint', needed('users'))
    .addColumn('spent_s', 'integer', required)
    .addColumn('summary', 'text')
    .addColumn('created_at', 'timestamptz', required)
    .execute()
  await index(db, 'timelogs_issuable on timelogs (issuable_id, id)')
  await index(db, 'timelogs_user on timelogs (user_id)')

  await db.schema
    .createTable('closing_issues')
    .addColumn('merge_request_id', 'bigint', needed('issuables'))
    .addColumn('issue_id', 'bigint', needed('issuables'))
    .addPrimaryKeyConstraint('closing_issues_key', ['merge_request_id', 'issue_id'])
    .execute()
  await index(db, 'closing_issues_issue on closing_issues (issue_id, merge_request_id)')
}

async function makeNotes(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('notes')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', needed('projects'))
    .addColumn('issuable_id', 'bigint', owned('issuables'))
    .addColumn('commit_id', 'text')
    .addColumn('author_id', 'bigint', needed('users'))
    .addColumn('discussion_id', 'text', required)
    .addColumn('type', 'text')
    .addColumn('body', 'text', required)
    .addColumn('system', 'boolean', no)
    .addColumn('confidential', 'boolean', no)
    .addColumn('resolvable', 'boolean', no)
    .addColumn('resolved_at', 'timestamptz')
    .addColumn('resolved_by_id', 'bigint', loose('users'))
    .addColumn('position', 'jsonb')
    .addColumn('original_position', 'jsonb')
    .addColumn('mentioned_by_project_id', 'bigint', owned('projects'))
    .addColumn('mentioned_by_id', 'bigint', owned('issuables'))
    .addColumn('mentioned_by_commit', 'text')
    .addColumn('created_at', 'timestamptz', required)
    .addColumn('updated_at', 'timestamptz', required)
    .addColumn('updated_by_id', 'bigint', loose('users'))
    .execute()
  await index(db, 'notes_issuable on notes (issuable_id, created_at, id)')
  await index(db, 'notes_discussion on notes (issuable_id, discussion_id, id)')
  await index(db, 'notes_open on notes (issuable_id) where resolvable and resolved_at is null')
  await index(db, 'notes_commit on notes (project_id, commit_id, id) where commit_id is not null')
  await index(db, 'notes_author on notes (author_id, id)')
  await index(db, 'notes_project on notes (project_id, id)')
  await index(db, 'notes_resolver on notes (resolved_by_id) where resolved_by_id is not null')
  await index(db, 'notes_editor on notes (updated_by_id) where updated_by_id is not null')
  const mentions = 'where mentioned_by_project_id is not null'
  await unique(
    db,
    `notes_mention on notes (issuable_id, mentioned_by_id) where mentioned_by_id is not null`,
  )
  await unique(
    db,
    `notes_commit_mention on notes (issuable_id, mentioned_by_commit) where mentioned_by_commit is not null`,
  )
  await index(db, 'notes_mentioned_by on notes (mentioned_by_id) where mentioned_by_id is not null')
  await index(db, `notes_mentioned_by_project on notes (mentioned_by_project_id) ${mentions}`)

  await db.schema
    .createTable('award_emojis')
    .addColumn('id', id.type, id.build)
    .addColumn('issuable_id', 'bigint', owned('issuables'))
    .addColumn('note_id', 'bigint', owned('notes'))
    .addColumn('user_id', 'bigint', needed('users'))
    .addColumn('name', 'text', required)
    .addColumn('created_at', 'timestamptz', required)
    .addColumn('updated_at', 'timestamptz', required)
    .execute()
  await unique(db, 'award_emojis_issuable on award_emojis (issuable_id, user_id, name)')
  await unique(db, 'award_emojis_note on award_emojis (note_id, user_id, name)')
  await index(db, 'award_emojis_user on award_emojis (user_id, name)')
}

async function makeHistory(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('resource_events')
    .addColumn('id', id.type, id.build)
    .addColumn('kind', 'text', required)
    .addColumn('issuable_id', 'bigint', needed('issuables'))
    .addColumn('user_id', 'bigint', loose('users'))
    .addColumn('action', 'text', required)
    .addColumn('label_id', 'bigint', loose('labels'))
    .addColumn('milestone_id', 'bigint', loose('milestones'))
    .addColumn('created_at', 'timestamptz', required)
    .execute()
  await index(db, 'resource_events_issuable on resource_events (issuable_id, kind, id)')
  await index(db, 'resource_events_user on resource_events (user_id) where user_id is not null')
  await index(db, 'resource_events_label on resource_events (label_id) where label_id is not null')
  await index(
    db,
    'resource_events_milestone on resource_events (milestone_id) where milestone_id is not null',
  )

  await db.schema
    .createTable('todos')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', needed('users'))
    .addColumn('author_id', 'bigint', needed('users'))
    .addColumn('project_id', 'bigint', needed('projects'))
    .addColumn('issuable_id', 'bigint', owned('issuables'))
    .addColumn('commit_id', 'text')
    .addColumn('note_id', 'bigint', owned('notes'))
    .addColumn('action', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('created_at', 'timestamptz', required)
    .addColumn('updated_at', 'timestamptz', required)
    .execute()
  await index(db, 'todos_user on todos (user_id, state, id)')
  await unique(db, "todos_pending on todos (user_id, issuable_id) where state = 'pending'")
  for (const column of ['author_id', 'project_id', 'issuable_id', 'note_id']) {
    await index(db, `todos_${column} on todos (${column})`)
  }

  await db.schema
    .createTable('events')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', owned('projects'))
    .addColumn('author_id', 'bigint', needed('users'))
    .addColumn('action', 'text', required)
    .addColumn('target_type', 'text')
    .addColumn('target_id', 'bigint')
    .addColumn('issuable_id', 'bigint', owned('issuables'))
    .addColumn('note_id', 'bigint', owned('notes'))
    .addColumn('milestone_id', 'bigint', owned('milestones'))
    .addColumn('push', 'jsonb')
    .addColumn('origin', 'text')
    .addColumn('created_at', 'timestamptz', required)
    .execute()
  await index(db, 'events_project on events (project_id, id)')
  await index(db, 'events_author on events (author_id, id)')
  await unique(db, 'events_origin on events (origin)')
  for (const column of ['issuable_id', 'note_id', 'milestone_id']) {
    await index(db, `events_${column} on events (${column}) where ${column} is not null`)
  }
}

async function makeBoards(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('boards')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', owned('projects'))
    .addColumn('namespace_id', 'bigint', owned('namespaces'))
    .addColumn('name', 'text', required)
    .addColumn('hide_backlog_list', 'boolean', no)
    .addColumn('hide_closed_list', 'boolean', no)
    .addColumn('milestone_id', 'bigint', loose('milestones'))
    .addColumn('assignee_id', 'bigint', loose('users'))
    .addColumn('weight', 'integer')
    .addColumn('created_at', 'timestamptz', required)
    .addColumn('updated_at', 'timestamptz', required)
    .execute()
  await index(db, 'boards_project on boards (project_id, id)')
  await index(db, 'boards_namespace on boards (namespace_id, id)')
  await index(db, 'boards_milestone on boards (milestone_id)')
  await index(db, 'boards_assignee on boards (assignee_id)')

  await db.schema
    .createTable('board_labels')
    .addColumn('board_id', 'bigint', needed('boards'))
    .addColumn('label_id', 'bigint', needed('labels'))
    .addPrimaryKeyConstraint('board_labels_key', ['board_id', 'label_id'])
    .execute()
  await index(db, 'board_labels_label on board_labels (label_id)')

  await db.schema
    .createTable('board_lists')
    .addColumn('id', id.type, id.build)
    .addColumn('board_id', 'bigint', needed('boards'))
    .addColumn('label_id', 'bigint', needed('labels'))
    .addColumn('position', 'integer', required)
    .execute()
  await unique(db, 'board_lists_label on board_lists (board_id, label_id)')
  await index(db, 'board_lists_labels on board_lists (label_id)')
}

/** Indexes of every three characters in a row, by which a part of a title or a description is found. */
async function indexTexts(db: AnyDb): Promise<void> {
  if (isPostgres(db)) {
    await run(
      db,
      sql.raw(`do $$ begin create extension if not exists pg_trgm;
        create index issuables_title_trigrams on issuables using gin (lower(title) gin_trgm_ops);
        create index issuables_description_trigrams on issuables using gin (lower(description) gin_trgm_ops);
        exception when others then raise notice 'no trigrams: %', sqlerrm; end $$`),
    )
    return
  }
  const add =
    'insert into issuable_texts (rowid, title, description) values (new.id, new.title, new.description);'
  const remove = `insert into issuable_texts (issuable_texts, rowid, title, description)
    values ('delete', old.id, old.title, old.description);`
  for (const statement of [
    `create virtual table issuable_texts using fts5 (title, description,
      content = 'issuables', content_rowid = 'id', tokenize = 'trigram')`,
    `create trigger issuable_texts_insert after insert on issuables begin ${add} end`,
    `create trigger issuable_texts_delete after delete on issuables begin ${remove} end`,
    `create trigger issuable_texts_update after update of title, description on issuables
      when old.title <> new.title or old.description is not new.description
      begin ${remove} ${add} end`,
  ]) {
    await run(db, sql.raw(statement))
  }
}

function index(db: AnyDb, definition: string): Promise<unknown> {
  return run(db, sql.raw(`create index ${definition}`))
}

function unique(db: AnyDb, definition: string): Promise<unknown> {
  return run(db, sql.raw(`create unique index ${definition}`))
}

function run(db: AnyDb, statement: RawBuilder<unknown>): Promise<unknown> {
  return statement.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  labels: {
    note: 'Labels of a project or of a group. Labels of a group can be used in all groups and projects below it.',
  },
  label_priorities: {
    note: 'The priority of a label in a project. The lowest number comes first.',
  },
  'milestones.state': { type: "'active' | 'closed'" },
  group_internal_ids: {
    note: 'The last number (`iid`) given out in a group for each kind of object.',
  },
  'group_internal_ids.usage': { type: "'milestones'" },
  issuables: { note: 'Issues, and the columns that merge requests share with them.' },
  'issuables.kind': { type: "'issue' | 'merge_request'" },
  'issuables.iid': { note: 'Counts separately for each project and kind.' },
  'issuables.project_id': { note: 'For a merge request, the target project.' },
  'issuables.state': { type: "'opened' | 'closed' | 'locked' | 'merged'" },
  'issuables.issue_type': { type: "'issue' | 'incident' | 'test_case' | 'task'" },
  'issuables.position': {
    note: 'The position that somebody gave it by hand among those of its project; null if nobody did.',
  },
  'issuables.notes_count': { note: 'Comments by users.' },
  'issuables.merge_requests_count': {
    note: 'For an issue, the number of merge requests that would close it.',
  },
  issuable_counts: {
    note: 'How many issues or merge requests of a project have each state. Updated with every change.',
  },
  issuable_mentions: { note: 'Users who are mentioned in the description or in comments.' },
  issuable_subscriptions: {
    note: 'Subscriptions that users chose. Participants without a row are subscribed.',
  },
  'issue_links.link_type': { type: "'relates_to' | 'blocks'" },
  closing_issues: { note: 'The issues that a merge request closes when it is merged.' },
  'notes.discussion_id': { note: '40 hexadecimal digits, the same for all notes of a thread.' },
  'notes.type': { type: "'DiscussionNote' | 'DiffNote'" },
  'notes.system': { note: 'Whether the server wrote the note.' },
  'notes.position': {
    type: 'Record<string, unknown>',
    note: 'The position in the newest diff.',
  },
  'notes.original_position': {
    type: 'Record<string, unknown>',
    note: 'The position at which the note was written.',
  },
  'notes.mentioned_by_project_id': {
    note: 'For a note about a mention in another project: only readers of that project see it.',
  },
  'resource_events.kind': { type: "'label' | 'milestone' | 'state'" },
  'resource_events.action': { type: "'add' | 'remove' | 'closed' | 'reopened' | 'merged'" },
  'todos.action': {
    type: "'assigned' | 'review_requested' | 'mentioned' | 'build_failed' | 'marked' | 'unmergeable' | 'directly_addressed'",
  },
  'todos.state': { type: "'pending' | 'done'" },
  'events.action': {
    type: "'created' | 'updated' | 'closed' | 'reopened' | 'pushed' | 'commented' | 'merged' | 'joined' | 'left' | 'destroyed' | 'expired' | 'approved'",
  },
  'events.push': {
    type: '{ commit_count: number; action: "created" | "pushed" | "removed"; ref_type: "branch" | "tag"; commit_from: string | null; commit_to: string | null; ref: string; commit_title: string | null; ref_count: number | null }',
  },
  'events.origin': {
    note: 'Identifies what caused the event. Unique, so that a task that runs twice creates one event.',
  },
  'internal_ids.usage': {
    type: "'pipelines' | 'deployments' | 'issues' | 'merge_requests' | 'milestones'",
  },
}
