import type { SelectQueryBuilder } from 'kysely'
import { limits } from '../kernel/limits.ts'
import type { Db } from './db.ts'

/**
 * How many rows the query has, or undefined when there are more than are ever counted
 * (`limits.counted_rows_max`; behaviour: conventions, section 3). The query selects `id` alone.
 */
export async function countRows(
  db: Db,
  // Which tables the query joins is the caller's matter; counting needs only its column.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  query: SelectQueryBuilder<any, any, { id: number }>,
): Promise<number | undefined> {
  const { count } = await db
    .selectFrom(query.limit(limits.counted_rows_max + 1).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count > limits.counted_rows_max ? undefined : count
}
