import { type Static, Type } from 'typebox'
import type { Tier } from '../../../config.ts'
import { namedObject, nullable, nullableInteger, nullableText } from '../../../http/schema.ts'
import { BasicUserJson, presentBasicUser, type User } from '../../../subjects/user.ts'
import { customAttributesField } from '../../basics/custom-attributes/custom-attribute.ts'
import type { UserDetails } from './user-details.store.ts'

const singleFields = {
  ...BasicUserJson.properties,
  created_at: Type.Optional(Type.String()),
  bio: Type.String(),
  location: nullableText,
  public_email: Type.String(),
  skype: Type.String(),
  linkedin: Type.String(),
  twitter: Type.String(),
  website_url: Type.String(),
  organization: nullableText,
  job_title: Type.String(),
  pronouns: nullableText,
  bot: Type.Boolean(),
  work_information: nullableText,
  followers: Type.Optional(Type.Integer()),
  following: Type.Optional(Type.Integer()),
}
export const UserJson = namedObject('User', singleFields)

const ownFields = {
  ...singleFields,
  last_sign_in_at: nullableText,
  confirmed_at: nullableText,
  last_activity_on: nullableText,
  email: Type.String(),
  theme_id: Type.Integer(),
  color_scheme_id: Type.Integer(),
  projects_limit: Type.Integer(),
  current_sign_in_at: nullableText,
  identities: Type.Array(
    namedObject('Identity', {
      provider: Type.String(),
      extern_uid: Type.String(),
      saml_provider_id: Type.Optional(nullableInteger),
    }),
  ),
  can_create_group: Type.Boolean(),
  can_create_project: Type.Boolean(),
  two_factor_enabled: Type.Boolean(),
  external: Type.Boolean(),
  private_profile: Type.Boolean(),
  commit_email: Type.String(),
}
export const CurrentUserJson = namedObject('CurrentUser', ownFields)

export const AdminUserJson = namedObject('AdminUser', {
  ...ownFields,
  is_admin: Type.Boolean(),
  note: nullableText,
  current_sign_in_ip: nullableText,
  last_sign_in_ip: nullableText,
  sign_in_count: Type.Integer(),
  highest_role: Type.Integer(),
  plan: Type.Optional(nullable(Type.String())),
  trial: Type.Optional(Type.Boolean()),
  shared_runners_minutes_limit: Type.Optional(nullableInteger),
  extra_shared_runners_minutes_limit: Type.Optional(nullableInteger),
  is_auditor: Type.Optional(Type.Boolean()),
  using_license_seat: Type.Optional(Type.Boolean()),
  provisioned_by_group_id: Type.Optional(nullableInteger),
  ...customAttributesField,
})

/** Presents a single user. A private profile hides dates and counts from others. */
export function presentUser(
  user: User,
  { baseUrl, seesPrivate }: { baseUrl: string; seesPrivate: boolean },
): Static<typeof UserJson> {
  const isShown = !user.private_profile || seesPrivate
  return {
    ...presentBasicUser(user, baseUrl),
    ...(isShown ? { created_at: user.created_at } : {}),
    bio: user.bio,
    location: user.location,
    public_email: user.public_email,
    skype: user.skype,
    linkedin: user.linkedin,
    twitter: user.twitter,
    website_url: user.website_url,
    organization: user.organization,
    job_title: user.job_title,
    pronouns: user.pronouns,
    bot: user.user_type === 'bot' || user.user_type === 'alert_bot',
    // For example `Smith at The Forge`, or only the job or only the organization.
    work_information: [user.job_title, user.organization].filter(Boolean).join(' at ') || null,
    ...(isShown ? { followers: user.followers_count, following: user.following_count } : {}),
  }
}

type OwnView = { baseUrl: string; tier: Tier }

/** On paid tiers an identity of a group's SAML also names its provider (docs/api/users.md, "Records"). */
function presentIdentities({ identities }: UserDetails, tier: Tier) {
  return identities.map(({ saml_provider_id, ...identity }) =>
    tier !== 'free' && identity.provider === 'group_saml'
      ? { ...identity, saml_provider_id }
      : identity,
  )
}

/** Presents the user of `GET /user`. */
export function presentCurrentUser(
  user: User,
  details: UserDetails,
  { baseUrl, tier }: OwnView,
): Static<typeof CurrentUserJson> {
  return {
    ...presentUser(user, { baseUrl, seesPrivate: true }),
    last_sign_in_at: user.last_sign_in_at,
    confirmed_at: user.confirmed_at,
    last_activity_on: user.last_activity_on,
    email: user.email,
    theme_id: user.theme_id,
    color_scheme_id: user.color_scheme_id,
    projects_limit: user.projects_limit,
    current_sign_in_at: user.current_sign_in_at,
    identities: presentIdentities(details, tier),
    can_create_group: user.can_create_group,
    can_create_project: user.projects_limit > details.personal_projects,
    two_factor_enabled: user.two_factor_enabled,
    external: user.external,
    private_profile: user.private_profile,
    commit_email: user.commit_email ?? user.email,
  }
}

/** Presents a user for administrators, alone and in lists. */
export function presentAdminUser(
  user: User,
  details: UserDetails,
  view: OwnView,
): Static<typeof AdminUserJson> {
  return {
    ...presentCurrentUser(user, details, view),
    is_admin: user.is_admin,
    note: user.note,
    current_sign_in_ip: user.current_sign_in_ip,
    last_sign_in_ip: user.last_sign_in_ip,
    sign_in_count: user.sign_in_count,
    highest_role: details.highest_role,
    ...(view.tier === 'free' ? {} : presentPaid(user, details, view.tier)),
  }
}

/** Returns the fields of paid tiers. There are no auditors, plans or trials. */
function presentPaid(user: User, { has_role }: UserDetails, tier: Tier) {
  return {
    plan: null,
    trial: false,
    shared_runners_minutes_limit: user.shared_runners_minutes_limit,
    extra_shared_runners_minutes_limit: user.extra_shared_runners_minutes_limit,
    is_auditor: false,
    // Active users take a seat. On the highest tier users who are Guests at most take none.
    using_license_seat:
      user.state === 'active' && user.user_type === 'human' && (tier !== 'ultimate' || has_role),
    provisioned_by_group_id: user.provisioned_by_group_id,
  }
}
