// How a site, which is on another host and never gets our cookies, identifies a signed-in browser: by a ticket that is
// valid once for that host and browser, and then by a cookie of that host (docs/api/pages.md, "Access").

import { type Actor, anonymous, type Viewer } from '../../../access/actor.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { digestToken, randomText } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret, sealSecret } from '../../../kernel/secrets.ts'
import { findProject } from '../../../subjects/project.ts'
import { reloadActor } from '../../people/credentials/credential.ts'
import { isPagesSiteVisibleTo, type PagesSite } from './pages.ts'
import { insertUsedVisitTicket } from './ticket.store.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'secretKey'>

type Pass = {
  kind: 'ticket' | 'visit'
  user_id: number
  session_id: number
  host: string
  expires_ms: number
  /** For a ticket: the digest of a value that the requesting browser stores. */
  state: string
}

function seal({ secretKey }: Uses, pass: Pass): string {
  // The random text makes all passes different.
  const text = JSON.stringify({ ...pass, nonce: randomText(16) })
  return Buffer.from(sealSecret(secretKey, text), 'base64').toString('base64url')
}

/** Returns undefined for a pass that is invalid, expired or for another host. */
function open(
  { clock, secretKey }: Uses,
  text: string,
  { kind, host }: Pick<Pass, 'kind' | 'host'>,
): Pass | undefined {
  let pass: Pass
  try {
    pass = JSON.parse(openSecret(secretKey, Buffer.from(text, 'base64url').toString('base64')))
  } catch {
    return undefined
  }
  const isGood = pass.kind === kind && pass.host === host
  return isGood && pass.expires_ms > clock().getTime() ? pass : undefined
}

/** Returns the ticket that a visitor takes to the host of a site; undefined if they may not see the site. */
export async function createVisitTicket(
  uses: Uses,
  actor: Actor,
  { site, host, state }: { site: PagesSite; host: string; state: string },
): Promise<string | undefined> {
  const { user, session } = actor
  if (!user || !session || !(await mayVisitSite(uses, actor, site))) return undefined
  const expires_ms = uses.clock().getTime() + limits.pages.ticket_ms
  const who = { user_id: user.id, session_id: session.id }
  return seal(uses, { kind: 'ticket', ...who, host, expires_ms, state })
}

/** Exchanges a ticket for a cookie, once, for the browser that has `state`. */
export async function exchangeVisitTicketForCookie(
  uses: Uses,
  { ticket, host, state }: { ticket: string; host: string; state: string },
): Promise<string | undefined> {
  const pass = open(uses, ticket, { kind: 'ticket', host })
  if (!pass || state === '' || pass.state !== digestToken(state)) return undefined
  const expires_at = new Date(pass.expires_ms).toISOString()
  if (!(await insertUsedVisitTicket(uses.db, { digest: digestToken(ticket), expires_at })))
    return undefined
  const expires_ms = uses.clock().getTime() + limits.pages.visit_ms
  return seal(uses, { ...pass, kind: 'visit', expires_ms, state: '' })
}

/** Returns the current user of a site host's cookie; an anonymous caller once their session has ended. */
export async function findSiteVisitor(
  uses: Uses,
  { cookie, host }: { cookie: string; host: string },
): Promise<Actor> {
  const pass = open(uses, cookie, { kind: 'visit', host })
  if (!pass) return anonymous
  const known = { user: { id: pass.user_id }, session: { id: pass.session_id } }
  const found = await reloadActor(uses, known)
  return 'kind' in found ? anonymous : found
}

/** Whether the caller may see a site. */
export async function mayVisitSite(
  { db }: Pick<Instance, 'db'>,
  actor: Actor,
  site: PagesSite,
): Promise<boolean> {
  const nobody: Viewer = { user: undefined }
  if (isPagesSiteVisibleTo(nobody, { site, level: 0 })) return true
  if (!actor.user) return false
  const found = await findProject(db, actor, { id: site.project_id })
  return found !== undefined && isPagesSiteVisibleTo(actor, { site, level: found.level })
}
