// Validation of users, with the messages of docs/api/users.md, "Validation".

import type { FieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { isEmail, usernameProblems } from '../../../kernel/names.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import type { User } from '../../../subjects/user.ts'

/** The fields of the profile, which have the same maximum length. */
const profileFields = [
  'location',
  'skype',
  'linkedin',
  'twitter',
  'website_url',
  'organization',
  'job_title',
] as const

const bio_characters_max = 255
const pronouns_characters_max = 50
const profile_characters_max = 500
const themes_max = 11
const color_schemes_max = 6

type Checked = Partial<
  Pick<
    User,
    | (typeof profileFields)[number]
    | 'email'
    | 'username'
    | 'name'
    | 'bio'
    | 'pronouns'
    | 'note'
    | 'projects_limit'
    | 'theme_id'
    | 'color_scheme_id'
    | 'shared_runners_minutes_limit'
    | 'extra_shared_runners_minutes_limit'
  >
> & { password?: string }

/** Returns the validation problems of the given fields. */
export function userProblems(user: Checked): FieldErrors {
  const { email, username, name, bio, note, website_url, theme_id, color_scheme_id } = user
  const problems: FieldErrors = {}
  const add = (field: string, messages: string[]) => {
    if (messages.length > 0) problems[field] = [...(ownValue(problems, field) ?? []), ...messages]
  }
  if (email !== undefined) add('email', emailProblems(email))
  if (username !== undefined) add('username', usernameProblems(username))
  if (name !== undefined) {
    add('name', name.trim() === '' ? ["can't be blank"] : tooLong(name, limits.name_characters))
  }
  add('bio', tooLong(bio, bio_characters_max))
  add('pronouns', tooLong(user.pronouns, pronouns_characters_max))
  for (const field of profileFields) add(field, tooLong(user[field], profile_characters_max))
  add('website_url', schemeProblems(website_url))
  add('note', tooLong(note, limits.note_characters))
  for (const field of [
    'projects_limit',
    'shared_runners_minutes_limit',
    'extra_shared_runners_minutes_limit',
  ] as const) {
    const isNegative = (user[field] ?? 0) < 0
    add(field, isNegative ? ['must be greater than or equal to 0'] : tooLarge(user[field]))
  }
  if (theme_id !== undefined && !isWithin(theme_id, themes_max)) {
    add('theme_id', [`${theme_id} is not a valid theme`])
  }
  if (color_scheme_id !== undefined && !isWithin(color_scheme_id, color_schemes_max)) {
    add('color_scheme_id', [`${color_scheme_id} is not a valid color scheme`])
  }
  if (user.password !== undefined) add('password', passwordProblems(user.password))
  return problems
}

function emailProblems(email: string): string[] {
  if (email.trim() === '') return ["can't be blank"]
  return isEmail(email) ? [] : ['is invalid']
}

/** Returns a problem if the URL has another scheme than http or https, since a page links to it. */
function schemeProblems(url: string | undefined): string[] {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(url ?? '')?.[1]
  return scheme === undefined || /^https?$/i.test(scheme)
    ? []
    : ['is blocked: Only allowed schemes are http, https']
}

function isWithin(id: number, max: number): boolean {
  return id >= 1 && id <= max
}

/** Returns a problem if the number does not fit into the 32 bits of the column. */
function tooLarge(value: number | null | undefined): string[] {
  return (value ?? 0) > 2147483647 ? ['must be less than 2147483648'] : []
}

function tooLong(text: string | null | undefined, characters_max: number): string[] {
  const isTooLong = [...(text ?? '')].length > characters_max
  return isTooLong ? [`is too long (maximum is ${characters_max} characters)`] : []
}

/** The minimum length of passwords regardless of the settings. */
export const password_characters_min = 8

/** Returns the validation problems of a new password with that minimum length. */
export function passwordProblems(
  password: string,
  characters_min = password_characters_min,
): string[] {
  if (password === '') return ["can't be blank"]
  if (password.length < characters_min) {
    return [`is too short (minimum is ${characters_min} characters)`]
  }
  return password.length > 128 ? ['is too long (maximum is 128 characters)'] : []
}
