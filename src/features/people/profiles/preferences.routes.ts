import { type Static, Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpointsWith } from '../../../http/endpoint.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { optionalBoolean, record } from '../../../http/schema.ts'
import { unauthorized } from '../../../kernel/errors.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import { savePreferences } from './preferences.store.ts'

const endpoint = endpointsWith({ tag: 'User preferences', scope: 'read_user' })

const PreferencesJson = record('Preferences', {
  id: Type.Integer(),
  user_id: Type.Integer(),
  view_diffs_file_by_file: Type.Boolean(),
  show_whitespace_in_diffs: Type.Boolean(),
})

/** They are columns of the user, so their id is the user's. */
function presentPreferences(
  user: Pick<User, 'id' | 'view_diffs_file_by_file' | 'show_whitespace_in_diffs'>,
): Static<typeof PreferencesJson> {
  const { id, view_diffs_file_by_file, show_whitespace_in_diffs } = user
  return { id, user_id: id, view_diffs_file_by_file, show_whitespace_in_diffs }
}

export const preferencesEndpoints = [
  endpoint({
    route: 'GET /user/preferences',
    summary: 'Get your preferences',
    allow: anyone,
    answer: PreferencesJson,
    async run({ db, user: { id } }) {
      const user = await findUser(db, id)
      if (!user) throw unauthorized()
      return presentPreferences(user)
    },
  }),

  endpoint({
    route: 'PUT /user/preferences',
    summary: 'Change your preferences',
    allow: anyone,
    input: Type.Object({
      view_diffs_file_by_file: optionalBoolean,
      show_whitespace_in_diffs: optionalBoolean,
    }),
    rules: [atLeastOneOf('view_diffs_file_by_file', 'show_whitespace_in_diffs')],
    answer: PreferencesJson,
    async run({ db, user, input }) {
      return presentPreferences(await savePreferences(db, user.id, input))
    },
  }),
]
