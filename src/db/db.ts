// What stores import: the connection type and the tables.
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** A connection or an open transaction; store functions take either as their first parameter. */
export type Db = Kysely<Schema>

export type * from './column-types.ts'
export type * from './schema.ts'
