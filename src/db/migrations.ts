// Every file in `migrations/` is a step of the schema; they run in the order of their names.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

const names = readdirSync(join(import.meta.dirname, 'migrations'))
  .filter((name) => /^\d{4}_[a-z0-9_]+\.ts$/.test(name))
  .map((name) => name.slice(0, -'.ts'.length))
  .toSorted()

/** The migrations by name. Each is loaded when it runs, since most starts run none. The bundle contains them all. */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  names.map((name) => [
    name,
    {
      async up(db: Kysely<unknown>) {
        const step: { up: Migration['up'] } = await import(`./migrations/${name}.ts`)
        await step.up(db)
      },
    },
  ]),
)
