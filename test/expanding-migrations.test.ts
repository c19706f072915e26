// A server of the version before goes on running beside one whose migrations have run (docs/operating/upgrade.md): a step adds,
// and takes away nothing that the older program reads or writes.
import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import type { Db } from '../src/db/db.ts'
import { knownMigrations, migrate, openDatabase } from '../src/db/open.ts'
import { createDatabase } from './kit/database.ts'

/** The step with which several servers came to run on one database. */
const first = '0078_nodes'

type Column = { type: string; isNullable: boolean; hasDefault: boolean }

/** The columns of all tables, by `table.column`. */
async function readColumns(db: Db): Promise<Map<string, Column>> {
  const { rows } = await sql<{
    name: string
    type: string
    is_nullable: string
    has_default: boolean
  }>`
    select table_name || '.' || column_name as name, udt_name as type, is_nullable,
      column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as has_default
    from information_schema.columns where table_schema = current_schema()`.execute(db)
  return new Map(
    rows.map(({ name, type, is_nullable, has_default }) => [
      name,
      { type, isNullable: is_nullable === 'YES', hasDefault: has_default },
    ]),
  )
}

/** What of the later schema a program stumbles over that knows the earlier one. */
function findObstacles(before: Map<string, Column>, after: Map<string, Column>): string[] {
  const tables = new Set([...before.keys()].map((name) => name.split('.')[0]))
  const gone = [...before.keys()]
    .filter((name) => !after.has(name))
    .map((name) => `${name} is gone`)
  const changed = [...after].flatMap(([name, column]) => {
    const known = before.get(name)
    const isRequired = !column.isNullable && !column.hasDefault
    if (!known) {
      const isInKnownTable = tables.has(name.split('.')[0])
      return isInKnownTable && isRequired ? [`${name} is new and required`] : []
    }
    if (known.type !== column.type) return [`${name} is ${column.type}, was ${known.type}`]
    const wasRequired = !known.isNullable && !known.hasDefault
    return isRequired && !wasRequired ? [`${name} is required now`] : []
  })
  return [...gone, ...changed]
}

it('each step of the schema leaves what the step before had', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  const db = await openDatabase({ url, migrates: false })
  const steps = knownMigrations.slice(knownMigrations.indexOf(first))
  const obstacles: string[] = []
  let before: Map<string, Column> | undefined
  for (const step of steps) {
    await migrate(db, step)
    const after = await readColumns(db)
    if (before) obstacles.push(...findObstacles(before, after).map((one) => `${step}: ${one}`))
    before = after
  }
  await db.destroy()
  await drop()
  expect(steps.length).toBeGreaterThan(5)
  expect(obstacles).toEqual([])
})

it('is told of what is gone, required or of another type', () => {
  const column = { type: 'text', isNullable: true, hasDefault: false }
  const before = new Map([
    ['a.kept', column],
    ['a.gone', column],
    ['a.typed', column],
    ['a.loose', column],
  ])
  const required = { ...column, isNullable: false }
  const after = new Map([
    ['a.kept', column],
    ['a.typed', { ...column, type: 'int8' }],
    ['a.loose', required],
    ['a.new', required],
    ['a.optional', column],
    ['a.filled', { ...required, hasDefault: true }],
    ['b.new', required],
  ])
  expect(findObstacles(before, after)).toEqual([
    'a.gone is gone',
    'a.typed is int8, was text',
    'a.loose is required now',
    'a.new is new and required',
  ])
})
