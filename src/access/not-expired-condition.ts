import { type RawBuilder, sql } from 'kysely'

/**
 * Whether the expiry day in `column` has not been reached: access ends at 00:00 UTC of that day. Without a day it never
 * ends.
 */
export function notExpiredCondition(column: string, today: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} > ${today})`
}
