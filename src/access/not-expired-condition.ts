import { type RawBuilder, sql } from 'kysely'

/** Whether what ends at 00:00 UTC of the day in `column` still holds today; without a day it does for good. */
export function notExpiredCondition(column: string, today: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} > ${today})`
}
