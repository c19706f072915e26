// Whether the parent of an access token is still valid: a token that was created with another one ends with it.
import { type ExpressionWrapper, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../db/db.ts'

/**
 * Whether the access token that a row was made with is still good, and its user not barred; a row that was made with
 * none has nothing to end with. `today` as `YYYY-MM-DD`.
 */
export function parentNotExpiredCondition(
  table: 'deploy_tokens' | 'pipeline_triggers',
  today: string,
): ExpressionWrapper<Schema, never, SqlBool> {
  const { or, exists, selectFrom } = expressionBuilder<Schema, never>()
  const parent_id = sql.ref<number | null>(`${table}.parent_id`)
  return or([
    sql<SqlBool>`${parent_id} is null`,
    exists(
      selectFrom('personal_access_tokens as parent')
        .innerJoin('users', 'users.id', 'parent.user_id')
        .select('parent.id')
        .where(sql<SqlBool>`parent.id = ${parent_id}`)
        .where('parent.revoked', '=', false)
        .where('users.state', '=', 'active')
        .where((eb) =>
          eb.or([eb('parent.expires_at', 'is', null), eb('parent.expires_at', '>', today)]),
        ),
    ),
  ])
}
