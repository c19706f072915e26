// Handles a task whose process died while it ran: it runs again, and fails permanently after the second time in a row.
import { sql } from 'kysely'

/** `last_error` of a row whose process died while it ran, and of one that this happened to twice in a row. */
const diedText = 'The process that ran this task died.'
export const taskDiedTwiceText = 'The process that ran this task died twice.'

/** Returns the columns of a task whose process died: it has no owner, and its error says how often that happened. */
export function orphanedTaskColumns() {
  const last_error = sql<string>`case when last_error = ${diedText} or last_error = ${taskDiedTwiceText} then ${taskDiedTwiceText} else ${diedText} end`
  return { owner_id: null, again_at: null, last_error }
}
