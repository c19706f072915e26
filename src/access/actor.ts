/** What an operation needs to know about the signed-in user. */
export type ActorUser = {
  id: number
  username: string
  name: string
  email: string
  commit_email: string | null
  is_admin: boolean
  external: boolean
}

export const scopes = [
  'api',
  'read_user',
  'read_api',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'sudo',
] as const
export type Scope = (typeof scopes)[number]

/**
 * Who calls. `user` is undefined for an anonymous caller; `token` for one without a token, who then
 * came with a password or by the `session` of a browser.
 */
export type Actor = {
  user: ActorUser | undefined
  token: { id: number; scopes: readonly Scope[] } | undefined
  session?: { id: number }
}

export const anonymous: Actor = { user: undefined, token: undefined }

export function isAdmin(actor: Actor): boolean {
  return actor.user?.is_admin === true
}
