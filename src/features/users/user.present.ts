import { type Static, Type } from 'typebox'
import { nullable, nullableText } from '../../http/schema.ts'
import { BasicUserJson, presentBasicUser, type User } from './user.ts'

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
  bot: Type.Boolean(),
  followers: Type.Optional(Type.Integer()),
  following: Type.Optional(Type.Integer()),
}
export const UserJson = Type.Object(singleFields)

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
  identities: Type.Array(Type.Object({ provider: Type.String(), extern_uid: Type.String() })),
  can_create_group: Type.Boolean(),
  can_create_project: Type.Boolean(),
  two_factor_enabled: Type.Boolean(),
  external: Type.Boolean(),
  private_profile: Type.Boolean(),
  commit_email: Type.String(),
}
export const CurrentUserJson = Type.Object(ownFields)

export const AdminUserJson = Type.Object({
  ...ownFields,
  is_admin: Type.Boolean(),
  note: nullableText,
  current_sign_in_ip: nullableText,
  last_sign_in_ip: nullableText,
  sign_in_count: Type.Integer(),
  plan: Type.Optional(nullable(Type.String())),
  trial: Type.Optional(Type.Boolean()),
})

/** The normal single view. A private profile hides its dates and counts from others. */
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
    bot: user.user_type === 'bot',
    ...(isShown ? { followers: user.followers_count, following: user.following_count } : {}),
  }
}

/** What a user sees of themselves (`GET /user`). */
export function presentCurrentUser(user: User, baseUrl: string): Static<typeof CurrentUserJson> {
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
    identities: [],
    can_create_group: user.can_create_group,
    can_create_project: user.projects_limit > 0,
    two_factor_enabled: user.two_factor_enabled,
    external: user.external,
    private_profile: user.private_profile,
    commit_email: user.commit_email ?? user.email,
  }
}

/** The administrator view, in lists too. */
export function presentAdminUser(
  user: User,
  { baseUrl, isPaidTier }: { baseUrl: string; isPaidTier: boolean },
): Static<typeof AdminUserJson> {
  return {
    ...presentCurrentUser(user, baseUrl),
    is_admin: user.is_admin,
    note: user.note,
    current_sign_in_ip: user.current_sign_in_ip,
    last_sign_in_ip: user.last_sign_in_ip,
    sign_in_count: user.sign_in_count,
    ...(isPaidTier ? { plan: null, trial: false } : {}),
  }
}
