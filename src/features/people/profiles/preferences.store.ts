import type { Selectable } from 'kysely'
import type { Db } from '../../../db/db.ts'
import type { UserTable } from '../../../db/schema.ts'

const columns = [
  'id',
  'view_diffs_file_by_file',
  'show_whitespace_in_diffs',
  'language',
  'theme',
  'density',
  'tab_width',
  'single_keys',
] as const

export type Preferences = Pick<Selectable<UserTable>, (typeof columns)[number]>

export function findPreferences(db: Db, user_id: number): Promise<Preferences | undefined> {
  return db.selectFrom('users').select(columns).where('id', '=', user_id).executeTakeFirst()
}

/** Sets the given preferences and returns all of them. */
export function savePreferences(
  db: Db,
  user_id: number,
  preferences: Partial<Omit<Preferences, 'id'>>,
): Promise<Preferences> {
  return db
    .updateTable('users')
    .set(preferences)
    .where('id', '=', user_id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}
