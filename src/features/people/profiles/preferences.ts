import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { namedObject, oneOf } from '../../../http/schema.ts'
import { unauthorized } from '../../../kernel/errors.ts'
import { findPreferences, type Preferences } from './preferences.store.ts'

/** The languages that the pages are built in (tools/build-web.ts). */
export const pageLanguages = ['en', 'de'] as const
export type PageLanguage = (typeof pageLanguages)[number]

export const PreferencesJson = namedObject('Preferences', {
  id: Type.Integer(),
  user_id: Type.Integer(),
  view_diffs_file_by_file: Type.Boolean(),
  show_whitespace_in_diffs: Type.Boolean(),
  language: oneOf(['system', ...pageLanguages]),
  theme: oneOf(['system', 'light', 'dark']),
  density: oneOf(['roomy', 'compact']),
  tab_width: Type.Integer(),
  single_keys: Type.Boolean(),
})

/** Presents preferences. They are columns of the user, so their id is the user's. */
export function presentPreferences({
  id,
  ...preferences
}: Preferences): Static<typeof PreferencesJson> {
  return { id, user_id: id, ...preferences }
}

/** Returns the preferences of a user. Throws 401 if the user was deleted meanwhile. */
export async function showPreferences(
  db: Db,
  user_id: number,
): Promise<Static<typeof PreferencesJson>> {
  const preferences = await findPreferences(db, user_id)
  if (!preferences) throw unauthorized()
  return presentPreferences(preferences)
}
