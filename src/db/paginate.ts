import type { SelectQueryBuilder } from 'kysely'
import { limits } from '../kernel/limits.ts'
import type { Db, Schema } from './db.ts'

/**
 * How many rows the query has, or undefined when there are more than are ever counted
 * (`limits.counted_rows_max`; docs/api/conventions.md, "Pages"). The query selects `id` alone.
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

/**
 * What `countRows` answers as the column `count` of a query, for rows an index finds in order: whether
 * there are too many, which is null, is asked first, by going past them: a third of counting them.
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
 * How many rows a list has, once one of its pages was read. A page that is not full ends the list, so a
 * search need not look through everything once more. A total above the bound is not told, even where it is
 * known.
 */
export async function totalFromPage(
  { found, offset, per_page }: { found: number; offset: number; per_page: number },
  count: () => Promise<number | undefined>,
): Promise<number | undefined> {
  const isEnd = found < per_page && (found > 0 || offset === 0)
  const total = isEnd ? offset + found : await count()
  return total !== undefined && total > limits.counted_rows_max ? undefined : total
}
