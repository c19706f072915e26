import { type Static, Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpointsWith } from '../../../http/endpoint.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { oneOf, oneOfNumbers, optionalBoolean, record } from '../../../http/schema.ts'
import { unauthorized } from '../../../kernel/errors.ts'
import { findPreferences, type Preferences, savePreferences } from './preferences.store.ts'

const endpoint = endpointsWith({ tag: 'User preferences', scope: 'read_user' })

const ownInput = {
  view_diffs_file_by_file: optionalBoolean,
  show_whitespace_in_diffs: optionalBoolean,
  theme: Type.Optional(oneOf(['system', 'light', 'dark'])),
  density: Type.Optional(oneOf(['roomy', 'compact'])),
  tab_width: Type.Optional(oneOfNumbers([1, 2, 3, 4, 8, 16])),
  single_keys: optionalBoolean,
}

export const PreferencesJson = record('Preferences', {
  id: Type.Integer(),
  user_id: Type.Integer(),
  view_diffs_file_by_file: Type.Boolean(),
  show_whitespace_in_diffs: Type.Boolean(),
  theme: oneOf(['system', 'light', 'dark']),
  density: oneOf(['roomy', 'compact']),
  tab_width: Type.Integer(),
  single_keys: Type.Boolean(),
})

/** They are columns of the user, so their id is the user's. */
export function presentPreferences({
  id,
  ...preferences
}: Preferences): Static<typeof PreferencesJson> {
  return { id, user_id: id, ...preferences }
}

export const preferencesEndpoints = [
  endpoint({
    route: 'GET /user/preferences',
    summary: 'Get your preferences',
    allow: anyone,
    answer: PreferencesJson,
    async run({ db, user: { id } }) {
      const preferences = await findPreferences(db, id)
      if (!preferences) throw unauthorized()
      return presentPreferences(preferences)
    },
  }),

  endpoint({
    route: 'PUT /user/preferences',
    summary: 'Change your preferences',
    allow: anyone,
    input: Type.Object(ownInput),
    rules: [atLeastOneOf(...Object.keys(ownInput))],
    answer: PreferencesJson,
    async run({ db, user, input }) {
      return presentPreferences(await savePreferences(db, user.id, input))
    },
  }),
]
