import { type Kysely, sql } from 'kysely'
import { identityColumn, isPostgres } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** A list of a board is of a label, of an assignee or of a milestone. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  if (isPostgres(db)) {
    await db.schema
      .alterTable('board_lists')
      .addColumn('assignee_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
      .addColumn('milestone_id', 'bigint', (c) => c.references('milestones.id').onDelete('cascade'))
      .execute()
    await db.schema
      .alterTable('board_lists')
      .alterColumn('label_id', (c) => c.dropNotNull())
      .execute()
  } else await rebuild(db)
  for (const column of ['assignee_id', 'milestone_id']) {
    const name = column.replace('_id', '')
    await db.schema
      .createIndex(`board_lists_${name}`)
      .unique()
      .on('board_lists')
      .columns(['board_id', column])
      .execute()
    await db.schema.createIndex(`board_lists_${name}s`).on('board_lists').column(column).execute()
  }
}

/** SQLite cannot let a column be null, so the table is made anew, and what it holds moves. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
async function rebuild(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('board_lists_new')
    .addColumn('id', id.type, id.build)
    .addColumn('board_id', 'bigint', (c) => c.notNull().references('boards.id').onDelete('cascade'))
    .addColumn('label_id', 'bigint', (c) => c.references('labels.id').onDelete('cascade'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('assignee_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('milestone_id', 'bigint', (c) => c.references('milestones.id').onDelete('cascade'))
    .execute()
  const list = sql`id, board_id, label_id, position`
  await sql`insert into board_lists_new (${list}) select ${list} from board_lists`.execute(db)
  // Ids of rows that were deleted are never given out again.
  await sql`delete from sqlite_sequence where name = 'board_lists_new'`.execute(db)
  await sql`insert into sqlite_sequence (name, seq)
    select 'board_lists_new', seq from sqlite_sequence where name = 'board_lists'`.execute(db)
  await db.schema.dropTable('board_lists').execute()
  await db.schema.alterTable('board_lists_new').renameTo('board_lists').execute()
  await sql`create unique index board_lists_label on board_lists (board_id, label_id)`.execute(db)
  await sql`create index board_lists_labels on board_lists (label_id)`.execute(db)
}

export const meanings: SchemaMeanings = {
  'board_lists.label_id': {
    note: 'For a list of a label. Exactly one of the three ids is set.',
  },
  'board_lists.assignee_id': { note: 'For a list of issues that are assigned to a user.' },
  'board_lists.milestone_id': { note: 'For a list of the issues of a milestone.' },
}
