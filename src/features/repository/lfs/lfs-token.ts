// Short-lived tokens for LFS only: in the links of a batch response, and from git-lfs-authenticate over SSH. They are
// signed and not stored; what they allow is part of the signed text. They name the credential of their holder, and end
// with it.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Actor } from '../../../access/actor.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type Project, projectUrl } from '../../../subjects/project.ts'
import type { ActorReference } from '../../people/credentials/credential.ts'

export type LfsOperation = 'download' | 'upload'
/** What a token grants. Whether its holder still has access is checked at each use. */
export type LfsTokenGrant = {
  /** The user and credential that the token was created for, or a deploy key. */
  holder: ActorReference
  project_id: number
  /** `upload` includes downloads. */
  operation: LfsOperation
  /** When the last token that can be derived from this one expires, in seconds since 1970. */
  end_s: number
}

export const lfs_token_lifetime_s = 30 * 60
/** How long after a sign-in its tokens can be renewed, in seconds. */
const renewal_s = 60 * 60

const pattern =
  /^lfs-((?:user-(\d{1,15})-(token|key|password)\.([0-9a-f]{1,64})|key-(\d{1,15}))-(\d{1,15})-(download|upload)-(\d{1,12})-(\d{1,12}))-([0-9a-f]{64})$/

function sign(secretKey: Buffer, claims: string): Buffer {
  return createHmac('sha256', secretKey).update(`lfs token\0${claims}`).digest()
}

function now_s(clock: Clock): number {
  return Math.floor(clock().getTime() / 1000)
}

/** Returns a token that is valid for `expires_in` seconds: half an hour, but not longer than its grant. */
export function createLfsToken(
  { secretKey, clock }: Pick<Instance, 'clock' | 'secretKey'>,
  grant: Omit<LfsTokenGrant, 'end_s'> & Partial<Pick<LfsTokenGrant, 'end_s'>>,
): { token: string; expires_in: number } {
  const { holder, project_id, operation, end_s = now_s(clock) + renewal_s } = grant
  const expires_s = Math.min(now_s(clock) + lfs_token_lifetime_s, end_s)
  const claims = `${claimOf(holder)}-${project_id}-${operation}-${expires_s}-${end_s}`
  return {
    token: `lfs-${claims}-${sign(secretKey, claims).toString('hex')}`,
    expires_in: expires_s - now_s(clock),
  }
}

function claimOf({ user, token, key, password }: ActorReference): string {
  if (!user && key) return `key-${key.id}`
  const by = token
    ? `token.${token.id}`
    : key
      ? `key.${key.id}`
      : password && `password.${password.stamp}`
  if (!user || !by) throw new Error('An LFS token needs a user and a token, a key or a password.')
  return `user-${user.id}-${by}`
}

function holderOf(claims: readonly (string | undefined)[]): ActorReference {
  const [user, kind, by = '', deployKey] = claims
  if (user === undefined) return { user: undefined, key: { id: Number(deployKey) } }
  const known = { user: { id: Number(user) } }
  if (kind === 'password') return { ...known, password: { stamp: by } }
  return kind === 'token'
    ? { ...known, token: { id: Number(by) } }
    : { ...known, key: { id: Number(by) } }
}

/** Returns what a token grants; undefined for a malformed, forged or expired one. */
export function verifyLfsToken(
  { secretKey, clock }: Pick<Instance, 'clock' | 'secretKey'>,
  text: string,
): LfsTokenGrant | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [project, operation, expires_s, end_s, signature = ''] = match.slice(6)
  if (!timingSafeEqual(sign(secretKey, match[1] ?? ''), Buffer.from(signature, 'hex'))) {
    return undefined
  }
  if (Number(expires_s) <= now_s(clock)) return undefined
  return {
    holder: holderOf(match.slice(2, 6)),
    project_id: Number(project),
    operation: operation as LfsOperation,
    end_s: Number(end_s),
  }
}

/** Whether a text has the form of a token, valid or not. Then it is not tried as a password. */
export function isLfsTokenText(text: string): boolean {
  return pattern.test(text)
}

/** Returns the username for a token (docs/api/git-access.md, "Credentials"). */
export function lfsTokenUserName({ user, key }: Pick<Actor, 'user' | 'key'>): string {
  return user ? user.username : `lfs+deploy-key-${key?.id}`
}

/**
 * Returns the URL of the project's LFS server and the credentials for it, as JSON that git-lfs-authenticate prints
 * (git-lfs: docs/api/server-discovery.md). The caller has checked that the holder may fetch for `download`, or push for
 * `upload`.
 */
export function createLfsAuthentication(
  uses: Pick<Instance, 'clock' | 'secretKey'>,
  request: {
    holder: Actor
    /** The `end_s` of the LFS token that the request came with, if any. */
    end_s?: number
    project: Pick<Project, 'id' | 'full_path'>
    operation: LfsOperation
    baseUrl: string
  },
): { href: string; header: { Authorization: string }; expires_in: number } {
  const { project, baseUrl, ...grant } = request
  const { token, expires_in } = createLfsToken(uses, { ...grant, project_id: project.id })
  const credentials = Buffer.from(`${lfsTokenUserName(grant.holder)}:${token}`).toString('base64')
  return {
    href: `${projectUrl(baseUrl, project)}.git/info/lfs`,
    header: { Authorization: `Basic ${credentials}` },
    expires_in,
  }
}
