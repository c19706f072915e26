import { levelName } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import { today } from '../../../kernel/clock.ts'
import {
  buildEmailLink,
  composeEmail,
  defineEmailTask,
  type EmailContext,
  enqueueEmailsToStrangers,
  sanitizeNameForEmail,
} from './email-task.ts'
import { findInvitationDetails } from './invitation.store.ts'

/** Tells an address what it was invited to. */
export const invitationEmailTask = defineEmailTask({
  name: 'send-invitation',
  async write({ db, clock, config }, { invitation_id }: { invitation_id: number }) {
    const invitation = await findInvitationDetails(db, invitation_id)
    if (!invitation) return undefined
    const { email, kind, name, full_path, access_level, expires_at, created_by_name } = invitation
    if (expires_at !== null && expires_at <= today(clock)) return undefined
    const inviter = created_by_name === null ? 'Someone' : sanitizeNameForEmail(created_by_name)
    const where = `the ${kind} ${sanitizeNameForEmail(name)}`
    return composeEmail(config, {
      to: email,
      subject: `Invitation to ${where}`,
      paragraphs: [
        'Hello!',
        `${inviter} has invited you to join ${where} with the role ${levelName(access_level)}.`,
      ],
      link: { words: `Open the ${kind}`, url: buildEmailLink(config, full_path) },
      notes: [
        'You become a member as soon as an account confirms this email address. If your account has another address, add this one to it. If you have no account, ask the person who invited you.',
      ],
      reason: `You receive this email because ${inviter} entered your address. If you do not know why, ignore it: nothing happens.`,
    })
  },
})

/**
 * Has the emails of new invitations, whose ids are known by address, sent as far as there may be more;
 * in the transaction that makes them, under the lock of access.
 */
export async function enqueueInvitationEmails(
  tx: Db,
  cause: EmailContext,
  { invited, sender_id }: { invited: ReadonlyMap<string, number>; sender_id: number },
): Promise<void> {
  const requests = [...invited].map(([email, id]) => ({
    key: String(id),
    payload: { invitation_id: id },
    sender_id,
    email,
  }))
  await enqueueEmailsToStrangers(tx, cause, invitationEmailTask, requests)
}

export const invitationEmailTasks = [invitationEmailTask]
