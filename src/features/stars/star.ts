// The public face of stars: what the lists of projects ask of them.
import { sql } from 'kysely'

/** Whether the row of `projects` is starred by the user; found from the user's side. */
export function isStarredBy(userId: number) {
  return sql<boolean>`projects.id in
    (select project_id from project_stars where user_id = ${userId})`
}
