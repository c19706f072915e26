import type { ActorUser } from '../../../access/actor.ts'
import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError, notFound } from '../../../kernel/errors.ts'
import { findUsersByConfirmedEmails } from '../../../subjects/user.ts'
import { type AuditSource, recordAuditEvents } from '../../basics/audit-events/audit-event.ts'
import { enqueueInvitationEmails } from '../outgoing-emails/invitation.tasks.ts'
import { addMember, isDayBeforeToday } from './change-member.ts'
import { errorDetailSentence } from './error-detail-sentence.ts'
import { findUsernamesByIds, insertInvitations } from './invitation.store.ts'
import { findDirectMembership } from './member.store.ts'
import type { MemberSource } from './member-source.ts'

type Offer = {
  emails: readonly string[]
  user_ids: readonly number[]
  access_level: number
  expires_at: string | null
}
type Inviter = { user: ActorUser; level: number }

/**
 * Invites email addresses to a group or project. The user of a known address becomes a member at once; other addresses are
 * sent an email and wait for a user. Beyond the limits for emails they wait without one. Users given by id become members at
 * once. Returns the errors by address or username as given.
 */
export async function inviteMembers(
  audit: AuditSource & Pick<Instance, 'config'>,
  source: MemberSource,
  { offer, by }: { offer: Offer; by: Inviter },
): Promise<Record<string, string>> {
  const { db, clock, config } = audit
  const { access_level, expires_at } = offer
  const emails = [...new Map(offer.emails.map((email) => [email.toLowerCase(), email])).values()]
  const user_ids = [...new Set(offer.user_ids)]
  const usernames = await findUsernamesByIds(db, user_ids)
  const nameOf = (id: number) => usernames.get(id) ?? String(id)
  if (isDayBeforeToday(expires_at, clock)) {
    const text = 'Expires at cannot be a date in the past'
    return Object.fromEntries([...emails, ...user_ids.map(nameOf)].map((whom) => [whom, text]))
  }
  await lockAccessRecomputation(db)
  const users = await findUsersByConfirmedEmails(db, emails)
  const userIds = new Map(users.map(({ id, address }) => [address, id]))
  const strangers = emails.filter((email) => !userIds.has(email.toLowerCase()))
  const row = { access_level, expires_at, created_by_id: by.user.id, created_at: timestamp(clock) }
  const invited = await insertInvitations(db, source, strangers, row)
  await recordAuditEvents(
    audit,
    [...invited].map(([email, id]) => ({
      action: 'invitation_created',
      entity: { kind: source.kind, id: source.id },
      target: { kind: 'invitation', id, name: email },
      details: { access_level, expires_at },
    })),
  )
  await enqueueInvitationEmails(db, { clock, config }, { invited, sender_id: by.user.id })
  const failures = new Map<string, string>()
  for (const email of emails) {
    const user_id = userIds.get(email.toLowerCase())
    const failure =
      user_id !== undefined
        ? await add(audit, source, { wish: { user_id, access_level, expires_at }, by })
        : invited.has(email.toLowerCase())
          ? undefined
          : 'Invite email has already been taken'
    if (failure !== undefined) failures.set(email, failure)
  }
  for (const user_id of user_ids) {
    // A user who was also named by email address has just been added.
    if (users.some(({ id }) => id === user_id)) continue
    const failure = usernames.has(user_id)
      ? await add(audit, source, { wish: { user_id, access_level, expires_at }, by })
      : errorDetailSentence(notFound('User'))
    if (failure !== undefined) failures.set(nameOf(user_id), failure)
  }
  return Object.fromEntries(failures)
}

async function add(
  audit: AuditSource,
  source: MemberSource,
  given: Parameters<typeof addMember>[2],
): Promise<string | undefined> {
  const { user_id } = given.wish
  if (await findDirectMembership(audit.db, source, user_id)) return 'User already exists in source'
  try {
    await addMember(audit, source, given)
    return undefined
  } catch (error) {
    // The failure is reported for this address only; the transaction goes on.
    if (!(error instanceof ApiError)) throw error
    return errorDetailSentence(error)
  }
}
