import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { oneOf, oneOfNumbers, optionalBoolean } from '../../../http/schema.ts'
import { savePreferences } from './preferences.store.ts'
import {
  PreferencesJson,
  pageLanguages,
  presentPreferences,
  showPreferences,
} from './preferences.ts'

const endpoint = endpointFactory({ tag: 'User preferences', scope: 'read_user' })

const ownInput = {
  view_diffs_file_by_file: optionalBoolean,
  show_whitespace_in_diffs: optionalBoolean,
  language: Type.Optional(oneOf(['system', ...pageLanguages])),
  theme: Type.Optional(oneOf(['system', 'light', 'dark'])),
  density: Type.Optional(oneOf(['roomy', 'compact'])),
  tab_width: Type.Optional(oneOfNumbers([1, 2, 3, 4, 8, 16])),
  single_keys: optionalBoolean,
}

export const preferencesEndpoints = [
  endpoint({
    route: 'GET /user/preferences',
    summary: 'Get your preferences',
    allow: anyone,
    answer: PreferencesJson,
    run: ({ db, user }) => showPreferences(db, user.id),
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
