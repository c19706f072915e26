// The filter parameters of lists of issues and merge requests (docs/api/issues.md, "Lists").
import { type Static, Type } from 'typebox'
import type { ParameterRule } from '../../../http/parameters.ts'
import { mutuallyExclusive } from '../../../http/parameters.ts'
import {
  dateTime,
  namedObject,
  oneOf,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { splitTitlesAtCommas } from './issuable-fields.ts'

const texts = Type.Optional(Type.Array(Type.String(), { maxItems: limits.filter_values }))
const personInput = Type.Optional(
  Type.String({ description: 'The id of a user, or `None` or `Any`.' }),
)
const scopes = [
  'created_by_me',
  'created-by-me',
  'assigned_to_me',
  'assigned-to-me',
  'all',
] as const

const negatedInput = Type.Optional(
  namedObject('NegatedFilter', {
    labels: texts,
    milestone: optionalText,
    milestone_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: limits.filter_values })),
    author_id: optionalInteger,
    author_username: optionalText,
    assignee_id: optionalInteger,
    assignee_username: texts,
    iids: Type.Optional(Type.Array(Type.Integer())),
    my_reaction_emoji: optionalText,
  }),
)

export const issuableFilterInput = {
  labels: texts,
  milestone: optionalText,
  scope: Type.Optional(oneOf(scopes)),
  author_id: optionalInteger,
  author_username: optionalText,
  assignee_id: personInput,
  assignee_username: texts,
  search: optionalText,
  in: optionalText,
  iids: Type.Optional(Type.Array(Type.Integer())),
  my_reaction_emoji: optionalText,
  created_after: Type.Optional(dateTime()),
  created_before: Type.Optional(dateTime()),
  updated_after: Type.Optional(dateTime()),
  updated_before: Type.Optional(dateTime()),
  with_labels_details: optionalBoolean,
  not: negatedInput,
}
const IssuableFilterInput = Type.Object(issuableFilterInput)
export type IssuableFilterInput = Static<typeof IssuableFilterInput>

export const sortDirectionInput = {
  sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
}
export { pageInput }

const personRule =
  (name: 'assignee_id' | 'reviewer_id'): ParameterRule =>
  (values) => {
    const value = ownValue(values, name)
    return value === undefined || /^(\d{1,15}|none|any|)$/i.test(String(value))
      ? undefined
      : `${name} should be an integer, 'None' or 'Any'`
  }

export const issuableFilterParameterRules: ParameterRule[] = [
  mutuallyExclusive('author_id', 'author_username'),
  mutuallyExclusive('assignee_id', 'assignee_username'),
  personRule('assignee_id'),
  personRule('reviewer_id'),
]

export type PersonFilter = { id: number } | 'none' | 'any'

/** Parses `assignee_id` and `reviewer_id`; an empty text does not filter. */
export function parsePersonFilter(text: string | undefined): PersonFilter | undefined {
  if (text === undefined || text === '') return undefined
  const word = text.toLowerCase()
  if (word === 'none' || word === '0') return 'none'
  return word === 'any' ? 'any' : { id: Number(text) }
}

export type TitlesFilter = { titles: readonly string[] } | 'none' | 'any'

/** Parses `labels`: a list of titles, `None` or `Any`. */
export function parseTitlesFilter(given: readonly string[] | undefined): TitlesFilter | undefined {
  const titles = given && splitTitlesAtCommas('labels', given, limits.filter_values)
  if (titles === undefined || titles.length === 0) return undefined
  const [only] = titles
  if (titles.length === 1 && /^(none|no label)$/i.test(only ?? '')) return 'none'
  if (titles.length === 1 && /^any( label)?$/i.test(only ?? '')) return 'any'
  return { titles }
}
