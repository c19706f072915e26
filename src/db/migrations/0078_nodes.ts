import type { Kysely } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** The processes that serve one database of PostgreSQL. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('nodes')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('machine', 'text', (c) => c.notNull())
    .addColumn('pid', 'integer', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('key_fingerprint', 'text', (c) => c.notNull())
    .addColumn('shared_settings', 'jsonb', (c) => c.notNull())
    .addColumn('started_at', 'timestamptz', (c) => c.notNull())
    .addColumn('seen_at', 'timestamptz', (c) => c.notNull())
    .execute()
  const id = identityColumn(db)
  await db.schema
    .createTable('node_questions')
    .addColumn('id', id.type, id.build)
    .addColumn('asked_by', 'text', (c) => c.notNull().references('nodes.id').onDelete('cascade'))
    .addColumn('path', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('node_answers')
    .addColumn('question_id', 'bigint', (c) =>
      c.notNull().references('node_questions.id').onDelete('cascade'),
    )
    .addColumn('node_id', 'text', (c) => c.notNull().references('nodes.id').onDelete('cascade'))
    .addColumn('is_in_use', 'boolean', (c) => c.notNull())
    .addPrimaryKeyConstraint('node_answers_pkey', ['question_id', 'node_id'])
    .execute()
}

export const meanings: SchemaMeanings = {
  nodes: {
    note: 'Server processes on a PostgreSQL database. On SQLite there is one server and no row.',
  },
  'nodes.name': { note: 'The host name.' },
  'nodes.machine': {
    note: 'Host name, boot and process namespace, within which the process id shows whether the process is alive.',
  },
  'nodes.key_fingerprint': {
    note: 'The beginning of a hash of secret.key, which all nodes share.',
  },
  'nodes.shared_settings': {
    note: 'Settings that must be the same on all nodes. Contains no secrets.',
  },
  node_questions: {
    note: 'Asks all nodes whether they are still using a repository that is about to be removed.',
  },
  'node_questions.path': { note: 'The folder of the repository.' },
  node_answers: {
    note: 'The answers of the nodes. Before a node answers, it closes the repository.',
  },
  'nodes.started_at': { note: 'By the clock of the database, like `seen_at`.' },
  'nodes.seen_at': { note: 'Renewed by a node while it runs.' },
}
