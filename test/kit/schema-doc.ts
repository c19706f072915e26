import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../src/db/db.ts'
import { openDatabase } from '../../src/db/open.ts'

type Table = { name: string; columns: { name: string; dataType: string; isNullable: boolean }[] }

async function tablesOf(db: Db): Promise<Map<string, Table>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: false })
  return new Map(tables.map((table) => [table.name, table]))
}

/** The document for a PostgreSQL database at `postgresUrl` and a SQLite one made for the purpose. */
export async function describeSchema(postgresUrl: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-schema-'))
  const sqlite = await openDatabase({ url: join(folder, 'schema.sqlite') })
  const postgres = await openDatabase({ url: postgresUrl })
  try {
    const ours = await tablesOf(sqlite)
    const theirs = await tablesOf(postgres)
    const sections = [...ours.keys()].sort().map((name) => {
      const columns = ours.get(name)?.columns ?? []
      const rows = columns.map((column) => {
        const other = theirs.get(name)?.columns.find((candidate) => candidate.name === column.name)
        const nullable = other?.isNullable ? 'yes' : ''
        return `| ${column.name} | ${column.dataType.toLowerCase()} | ${other?.dataType ?? '-'} | ${nullable} |`
      })
      return `## ${name}\n\n| column | SQLite | PostgreSQL | may be null |\n|---|---|---|---|\n${rows.join('\n')}\n`
    })
    const heading =
      '# The database schema\n\nMade by `npm run schema` from the migrations; a test fails when it is stale.\n'
    return [heading, ...sections].join('\n')
  } finally {
    await sqlite.destroy()
    await postgres.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}
