// Every file beside this one that begins with a number is a step of the schema, in the order of names.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

const names = readdirSync(import.meta.dirname)
  .filter((name) => /^\d{4}_[a-z0-9_]+\.ts$/.test(name))
  .map((name) => name.slice(0, -'.ts'.length))
  .toSorted()

/** The steps by name; each is loaded when it is run, since most starts run none. */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  names.map((name) => [
    name,
    {
      async up(db: Kysely<unknown>) {
        const step: { up: Migration['up'] } = await import(join(import.meta.dirname, `${name}.ts`))
        await step.up(db)
      },
    },
  ]),
)
