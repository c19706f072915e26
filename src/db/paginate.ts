import type { SelectQueryBuilder } from 'kysely'
import { limits } from '../kernel/limits.ts'
import type { Db, Schema } from './db.ts'

/**
 * Counts the rows of a query that selects only `id`; returns undefined if there are more than `limits.counted_rows_max`
 * (docs/api/conventions.md, "Pages").
 */
export async function countRows(
  db: Db,
  // The query may join any tables; counting needs only its column.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  query: SelectQueryBuilder<any, any, { id: number }>,
): Promise<number | undefined> {
  const { count } = await db
    .selectFrom(query.limit(limits.counted_rows_max + 1).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count > limits.counted_rows_max ? undefined : count
}

/**
 * The result of `countRows` as the column `count`, for rows that an index finds in order. It first skips as many rows as
 * are counted at most: if there are more, the count is null, at a third of the cost of counting.
 */
export function indexedCountQuery(
  db: Db,
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  query: SelectQueryBuilder<any, any, { id: number }>,
): SelectQueryBuilder<Schema, never, { count: number | null }> {
  return db.selectNoFrom((eb) =>
    eb
      .case()
      .when(eb.not(eb.exists(query.limit(1).offset(limits.counted_rows_max))))
      .then(eb.selectFrom(query.as('counted')).select(eb.fn.countAll<number>().as('count')))
      .end()
      .as('count'),
  )
}

/**
 * Returns the total of a list after one of its pages was read. A page that is not full is the last one, so a search need
 * not count its matches. Returns undefined for a total above the limit of counted rows.
 */
export async function totalFromPage(
  { found, offset, per_page }: { found: number; offset: number; per_page: number },
  count: () => Promise<number | undefined>,
): Promise<number | undefined> {
  const isEnd = found < per_page && (found > 0 || offset === 0)
  const total = isEnd ? offset + found : await count()
  return total !== undefined && total > limits.counted_rows_max ? undefined : total
}
