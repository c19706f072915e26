import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createDatabase } from './database.ts'
import { fillDatabase } from './first-database.ts'
import { hashCheaply } from './password-cost.ts'
import { startPostgres } from './postgres.ts'
import { newRunFolder } from './run-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    /** The database that those of applications are copies of: a file, or a name on PostgreSQL. */
    firstDatabase: string
  }
}

/** The databases of tests last for minutes: they need no crash safety, no vacuum, and no plan for each value. */
const postgresSettings = [
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'plan_cache_mode=force_generic_plan',
]

/** Makes what all tests of a project share: the folder they write to, PostgreSQL, the first database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The password of root is tried by processes that hash like this too.
  hashCheaply()
  const folder = newRunFolder()
  const { env } = project.config
  env.TMPDIR = folder.path
  if (env.TEST_DB !== 'postgres') {
    const file = join(folder.path, 'first.sqlite')
    await fillDatabase(file)
    project.provide('firstDatabase', file)
    return async () => folder.remove()
  }
  const postgres = await startPostgres(folder.path, postgresSettings)
  const first = await createDatabase(postgres.url)
  await fillDatabase(first.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('firstDatabase', first.name)
  return async () => {
    await first.drop()
    await postgres.stop()
    folder.remove()
  }
}
