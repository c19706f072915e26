// What the migrations make of the databases: a document to read, and the types that queries are checked by.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TableMetadata } from 'kysely'
import type { Db } from '../src/db/db.ts'
import type { SchemaMeanings } from '../src/db/meanings.ts'
import { openDatabase } from '../src/db/open.ts'

export type SchemaTexts = {
  /** docs/schema.md */
  document: string
  /** src/db/schema.ts, as the formatter would leave it but for the breaking of long lines. */
  types: string
}

type Tables = Map<string, TableMetadata>

/** Returns both texts, from a PostgreSQL database at `postgresUrl` and a temporary SQLite one. */
export async function describeSchema(postgresUrl: string): Promise<SchemaTexts> {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-schema-'))
  const sqlite = await openDatabase({ url: join(folder, 'schema.sqlite') })
  const postgres = await openDatabase({ url: postgresUrl })
  try {
    const ours = await tablesOf(sqlite)
    const theirs = await tablesOf(postgres)
    return { document: documentOf(ours, theirs), types: typesOf(theirs, await readMeanings()) }
  } finally {
    await sqlite.destroy()
    await postgres.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tablesOf(db: Db): Promise<Tables> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: false })
  // What SQLite's indexes of texts are kept in is nothing to read or write by name.
  const ours = tables.filter(({ name }) => !/^migration(s|_locks)$|_texts(_\w+)?$/.test(name))
  return new Map(ours.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((t) => [t.name, t]))
}

function documentOf(ours: Tables, theirs: Tables): string {
  const sections = [...ours].map(([name, { columns }]) => {
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
}

const migrationsFolder = join(import.meta.dirname, '../src/db/migrations')

/** Returns what the migrations declare about tables and columns; later ones override. */
async function readMeanings(): Promise<SchemaMeanings> {
  const names = readdirSync(migrationsFolder).filter((name) => /^\d{4}_/.test(name))
  const modules = await Promise.all(
    names.toSorted().map((name) => import(join(migrationsFolder, name))),
  )
  return Object.assign({}, ...modules.map(({ meanings }) => meanings))
}

const plainTypes: Readonly<Record<string, string>> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
  text: 'string',
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'DateText',
  timestamptz: 'Timestamp',
  jsonb: 'unknown',
}

function typesOf(tables: Tables, meanings: SchemaMeanings): string {
  const interfaces = [...tables].map(([table, { columns }]) => {
    const lines = columns.map((column) => {
      const { note, type = plainTypes[column.dataType] } = meanings[`${table}.${column.name}`] ?? {}
      if (type === undefined)
        throw new Error(
          `Unknown column type ${column.dataType}. Add it to tools/describe-schema.ts.`,
        )
      const held = column.dataType === 'jsonb' ? `Json<${type}>` : type
      const nullable = column.isNullable ? `${held} | null` : held
      const isGiven = column.hasDefaultValue || column.isAutoIncrementing
      const comment = note === undefined ? '' : `  /** ${note} */\n`
      return `${comment}  ${column.name}: ${isGiven && !column.isNullable ? `Generated<${nullable}>` : nullable}`
    })
    const note = meanings[table]?.note
    const comment = note === undefined ? '' : `/** ${note} */\n`
    return `${comment}export interface ${interfaceName(table)} {\n${lines.join('\n')}\n}\n`
  })
  const entries = [...tables.keys()].map((table) => `  ${table}: ${interfaceName(table)}`)
  const body = [...interfaces, `export interface Schema {\n${entries.join('\n')}\n}\n`].join('\n')
  const names = ['CiStatus', 'DateText', 'FeatureAccess', 'Json', 'Timestamp', 'Visibility']
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(body))
  return `// Made by \`npm run schema\` from the migrations and what they say their columns mean; not to be edited.
import type { Generated } from 'kysely'
import type {
${used.map((name) => `  ${name},`).join('\n')}
} from './column-types.ts'

${body}`
}

/** `protected_branches` is ProtectedBranchTable's. */
function interfaceName(table: string): string {
  const words = table.split('_')
  const last = words.pop() ?? ''
  const name = [...words, singular(last)].map(
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  )
  return `${name.join('')}Table`
}

function singular(noun: string): string {
  if (noun === 'statistics' || noun.endsWith('ss')) return noun
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`
  return /(ss|ch|sh|x|us)es$/.test(noun) ? noun.slice(0, -2) : noun.replace(/s$/, '')
}
