/** The fields of the signed-in user that operations need. */
export type ActorUser = {
  id: number
  username: string
  name: string
  email: string
  commit_email: string | null
  is_admin: boolean
  external: boolean
}

export const tokenScopes = [
  'api',
  'read_user',
  'read_api',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'sudo',
] as const
export type TokenScope = (typeof tokenScopes)[number]

/** The scopes that OAuth applications may request: those of tokens and those of OpenID Connect. */
export const oauthScopes = [...tokenScopes, 'openid', 'profile', 'email'] as const
export type OauthScope = (typeof oauthScopes)[number]

/**
 * The caller. `user` is undefined for an anonymous caller; `token` is undefined for other credentials. When references
 * are about to move, features/people/credentials checks again that the credential is still valid.
 */
export type Actor = {
  user: ActorUser | undefined
  /** A personal access token, or, where `kind` says so, one that an application was given. */
  token: { id: number; scopes: readonly TokenScope[]; kind?: 'oauth' } | undefined
  /** Who acts as the user: by `sudo`, or in a browser by impersonation. */
  administrator?: ActorUser
  /** Of a browser; where an administrator impersonates the user, with the administrator's own session. */
  session?: { id: number; impersonator_session_id?: number }
  /** Over SSH; of the maker of a deploy key, that one. */
  key?: { id: number }
  /** Nobody, but for what that token of a project or group reads. */
  deployToken?: { id: number }
  /** `stamp` tells whether it is still the account's. */
  password?: { stamp: string }
  /** Of a running job, whose user it acts as. */
  job?: {
    id: number
    project_id: number
    pipeline_id: number
    /** Whether it reaches no other project. */
    isLimited: boolean
    /** The least level it has on its own project. */
    own_level: number
  }
  /** Of a task that acts for the user, long after they asked for it: there is no credential to recheck, but the account. */
  isTask?: true
}

/** Why what a caller came by is no good any more; `text` says to its user why the account is barred. */
export type CredentialEndReason =
  | { kind: 'revoked' | 'expired' | 'gone' }
  | { kind: 'barred'; text: string }

/**
 * Returns the user without the rights of an administrator: who a job, or the configuration of a pipeline, acts as.
 * Anyone who may push writes what a job runs, so an administrator's rights would reach all of them
 * (docs/decisions/0046).
 */
export function withoutAdminRights(user: ActorUser): ActorUser {
  return { ...user, is_admin: false }
}

export const anonymous: Actor = { user: undefined, token: undefined }

/** The fields of a caller that decide what they can see. */
export type Viewer = {
  readonly user: Pick<ActorUser, 'id' | 'is_admin' | 'external'> | undefined
}

/** Returns only the fields of a caller that decide what they can see, as a key for cached queries. */
export function narrowToViewer({ user }: Viewer): Viewer {
  if (!user) return anonymous
  const { id, is_admin, external } = user
  return { user: { id, is_admin, external } }
}

export function isAdmin({ user }: Viewer): boolean {
  return user?.is_admin === true
}
