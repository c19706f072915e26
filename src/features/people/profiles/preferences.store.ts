import type { Db } from '../../../db/db.ts'

/** Sets what is given, and answers all of them. */
export function savePreferences(
  db: Db,
  user_id: number,
  preferences: { view_diffs_file_by_file?: boolean; show_whitespace_in_diffs?: boolean },
) {
  return db
    .updateTable('users')
    .set(preferences)
    .where('id', '=', user_id)
    .returning(['id', 'view_diffs_file_by_file', 'show_whitespace_in_diffs'])
    .executeTakeFirstOrThrow()
}
