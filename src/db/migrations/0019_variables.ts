import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  // One table for all three owners: what a job is given is read in one query.
  await db.schema
    .createTable('ci_variables')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('variable_type', 'text', (c) => c.notNull())
    .addColumn('protected', 'boolean', (c) => c.notNull())
    .addColumn('masked', 'boolean', (c) => c.notNull())
    .addColumn('raw', 'boolean', (c) => c.notNull())
    .addColumn('environment_scope', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  for (const owner of ['project', 'namespace']) {
    const column = sql.id(`${owner}_id`)
    await sql`create unique index ${sql.id(`ci_variables_${owner}`)} on ci_variables
      (${column}, key, environment_scope) where ${column} is not null`.execute(db)
  }
  await sql`create unique index ci_variables_instance on ci_variables (key)
    where project_id is null and namespace_id is null`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  ci_variables: {
    note: 'CI/CD variables of a project, of a group, or, with neither id, of the instance.',
  },
  'ci_variables.value': { note: 'Encrypted; see kernel/secrets.ts.' },
  'ci_variables.variable_type': { type: "'env_var' | 'file'" },
  'ci_variables.raw': {
    note: 'Whether references to other variables in the value are not expanded.',
  },
}
