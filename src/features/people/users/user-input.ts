// The fields of a user that administrators can set, and the columns they change.
import { type Static, Type } from 'typebox'
import type { Tier } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import {
  file,
  nullableBoolean,
  nullableInteger,
  nullableText,
  optionalBoolean,
  optionalInteger,
  optionalText,
} from '../../../http/schema.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { User } from '../../../subjects/user.ts'
import type { Settings } from '../../basics/settings/known-settings.ts'
import { findExistingSamlGroupId, upsertIdentity } from './identity.store.ts'

const profileText = Type.Optional(nullableText)

/** The fields in the order in which their errors are reported. */
export const userFields = {
  skype: profileText,
  linkedin: profileText,
  twitter: profileText,
  website_url: profileText,
  organization: profileText,
  job_title: profileText,
  pronouns: profileText,
  projects_limit: optionalInteger,
  extern_uid: optionalText,
  provider: optionalText,
  bio: profileText,
  location: profileText,
  admin: optionalBoolean,
  can_create_group: optionalBoolean,
  external: optionalBoolean,
  avatar: Type.Optional(Type.Union([file(), Type.Null()])),
  theme_id: optionalInteger,
  color_scheme_id: optionalInteger,
  private_profile: Type.Optional(nullableBoolean),
  note: profileText,
  view_diffs_file_by_file: optionalBoolean,
  group_id_for_saml: optionalInteger,
  shared_runners_minutes_limit: Type.Optional(nullableInteger),
  extra_shared_runners_minutes_limit: Type.Optional(nullableInteger),
}
const UserFields = Type.Object(userFields)
export type UserFields = Static<typeof UserFields>

/** The fields of the profile that users fill in themselves. */
export const { properties: profileFields } = Type.Pick(UserFields, [
  'skype',
  'linkedin',
  'twitter',
  'website_url',
  'organization',
  'job_title',
  'pronouns',
  'bio',
  'location',
  'private_profile',
])

/** The rights of an external user; these fields are reset when a user is no longer external. */
const externalRights = { can_create_group: false, projects_limit: 0 }

/**
 * Returns the columns for the given fields. Becoming external removes the right to create groups and projects, whatever
 * else is given; ceasing to be external restores it unless other values are given. Fields of paid tiers are ignored below
 * them (docs/api/conventions.md, "Tiers").
 */
export function userColumnsFromInput(
  input: UserFields,
  { before, tier, settings }: { before: Pick<User, 'external'>; tier: Tier; settings: Settings },
): Partial<User> {
  const { admin, external, private_profile } = input
  const columns: Partial<User> = {
    ...definedOf(input, ['projects_limit', 'can_create_group', 'theme_id', 'color_scheme_id']),
    ...definedOf(input, ['view_diffs_file_by_file', 'location', 'organization', 'note']),
    ...definedOf(input, ['pronouns']),
  }
  const texts = ['bio', 'skype', 'linkedin', 'twitter', 'website_url', 'job_title'] as const
  for (const field of texts) {
    if (input[field] !== undefined) columns[field] = input[field] ?? ''
  }
  if (admin !== undefined) columns.is_admin = admin
  if (private_profile !== undefined) columns.private_profile = private_profile ?? false
  if (tier !== 'free') {
    const minutes = ['shared_runners_minutes_limit', 'extra_shared_runners_minutes_limit'] as const
    Object.assign(columns, definedOf(input, minutes))
  }
  if (external === undefined || external === before.external) return columns
  const usualRights = { can_create_group: true, projects_limit: settings.default_projects_limit }
  return external
    ? { ...columns, external, ...externalRights }
    : { ...usualRights, ...columns, external }
}

/** As `userColumnsFromInput`, for a new user: omitted fields get the defaults of the instance. */
export function newUserColumnsFromInput(
  input: UserFields,
  { tier, settings }: { tier: Tier; settings: Settings },
): Partial<User> {
  const { default_projects_limit: projects_limit, user_default_external } = settings
  const given = { ...input, external: input.external ?? user_default_external }
  return {
    projects_limit,
    ...userColumnsFromInput(given, { before: { external: false }, tier, settings }),
  }
}

function definedOf<T extends object, const K extends keyof T>(input: T, names: readonly K[]) {
  const given = names.filter((name) => input[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, input[name]])) as Partial<Pick<T, K>>
}

/** Returns the group of a SAML identity, if the tier has group SAML and the group exists. */
export async function findSamlGroupFromInput(
  db: Db,
  { group_id_for_saml }: UserFields,
  tier: Tier,
): Promise<number | null> {
  if (tier === 'free' || group_id_for_saml === undefined) return null
  return findExistingSamlGroupId(db, group_id_for_saml)
}

/** Sets the identity that was requested. Throws 400 if another user has it. */
export async function upsertIdentityFromInput(
  tx: Db,
  { provider, extern_uid }: UserFields,
  { user_id, saml_group, now }: { user_id: number; saml_group: number | null; now: string },
): Promise<void> {
  if (!provider || !extern_uid) return
  const saml_provider_id = provider === 'group_saml' ? saml_group : null
  const identity = { user_id, provider, extern_uid, saml_provider_id }
  if (!(await upsertIdentity(tx, identity, now))) {
    throw invalid({ 'identities.extern_uid': ['has already been taken'] })
  }
}
