// Short-lived tokens for LFS alone: in the links of a batch answer, and what git-lfs-authenticate hands
// out over SSH. Signed, not stored; what they allow is said in them and cannot be widened.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { type Project, projectUrl } from '../projects/project.ts'

export type LfsOperation = 'download' | 'upload'
/** For whom a token was made. */
export type LfsHolder = { user: { id: number; username: string } } | { deploy_key_id: number }
/** What a token stands for; whether its holder still may is asked whenever it is used. */
export type LfsGrant = {
  holder: { user_id: number } | { deploy_key_id: number }
  project_id: number
  /** `upload` allows downloading too. */
  operation: LfsOperation
}

type Services = { secretKey: Buffer; clock: Clock }

export const lfs_token_s = 30 * 60
const pattern =
  /^lfs-((user|key)-(\d{1,15})-(\d{1,15})-(download|upload)-(\d{1,12}))-([0-9a-f]{64})$/

function sign(secretKey: Buffer, claims: string): Buffer {
  return createHmac('sha256', secretKey).update(`lfs token\0${claims}`).digest()
}

/** A token that is good for `lfs_token_s` seconds. */
export function makeLfsToken({ secretKey, clock }: Services, grant: LfsGrant): string {
  const { holder, project_id, operation } = grant
  const whose = 'user_id' in holder ? `user-${holder.user_id}` : `key-${holder.deploy_key_id}`
  const expires_s = Math.floor(clock().getTime() / 1000) + lfs_token_s
  const claims = `${whose}-${project_id}-${operation}-${expires_s}`
  return `lfs-${claims}-${sign(secretKey, claims).toString('hex')}`
}

/** What a token stands for; undefined for what is none, was changed or has expired. */
export function checkLfsToken({ secretKey, clock }: Services, text: string): LfsGrant | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, claims = '', kind, holder, project, operation, expires_s, signature = ''] = match
  if (!timingSafeEqual(sign(secretKey, claims), Buffer.from(signature, 'hex'))) return undefined
  if (Number(expires_s) * 1000 <= clock().getTime()) return undefined
  return {
    holder: kind === 'user' ? { user_id: Number(holder) } : { deploy_key_id: Number(holder) },
    project_id: Number(project),
    operation: operation as LfsOperation,
  }
}

/** Whether a text was meant for a token, good or not, and so is nobody's password. */
export function isLfsTokenText(text: string): boolean {
  return pattern.test(text)
}

/** The user name a token is sent with (behaviour, section 6.2). */
export function lfsUserName(holder: LfsHolder): string {
  return 'user' in holder ? holder.user.username : `lfs+deploy-key-${holder.deploy_key_id}`
}

/**
 * Where a client finds the project's LFS server and how it signs in there: the JSON that
 * git-lfs-authenticate prints (git-lfs: docs/api/server-discovery.md). The caller has checked that the
 * holder may: fetching for `download`, pushing for `upload`.
 */
export function lfsAuthentication(
  services: Services,
  request: {
    holder: LfsHolder
    project: Pick<Project, 'id' | 'full_path'>
    operation: LfsOperation
    baseUrl: string
  },
): { href: string; header: { Authorization: string }; expires_in: number } {
  const { holder, project, operation, baseUrl } = request
  const password = makeLfsToken(services, {
    holder: 'user' in holder ? { user_id: holder.user.id } : holder,
    project_id: project.id,
    operation,
  })
  const credentials = Buffer.from(`${lfsUserName(holder)}:${password}`).toString('base64')
  return {
    href: `${projectUrl(baseUrl, project)}.git/info/lfs`,
    header: { Authorization: `Basic ${credentials}` },
    expires_in: lfs_token_s,
  }
}
