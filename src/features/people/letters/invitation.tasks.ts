import { levelName } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import { today } from '../../../kernel/clock.ts'
import { findInvitationPlace } from './invitation.store.ts'
import {
  composeLetter,
  defineLetter,
  enqueueLettersToStrangers,
  type LetterCause,
  linkTo,
  nameInLetter,
} from './letter.ts'

/** Tells an address what it was invited to. */
export const invitationLetter = defineLetter({
  name: 'send-invitation',
  async write({ db, clock, config }, { invitation_id }: { invitation_id: number }) {
    const invitation = await findInvitationPlace(db, invitation_id)
    if (!invitation) return undefined
    const { email, kind, name, full_path, access_level, expires_at, created_by_name } = invitation
    if (expires_at !== null && expires_at <= today(clock)) return undefined
    const inviter = created_by_name === null ? 'Someone' : nameInLetter(created_by_name)
    const where = `the ${kind} ${nameInLetter(name)}`
    return composeLetter(config, {
      to: email,
      subject: `Invitation to ${where}`,
      paragraphs: [
        'Hello!',
        `${inviter} has invited you to join ${where} with the role ${levelName(access_level)}.`,
      ],
      link: { words: `Open the ${kind}`, url: linkTo(config, full_path) },
      notes: [
        'You become a member as soon as an account confirms this email address. If your account has another address, add this one to it. If you have no account, ask the person who invited you.',
      ],
      reason: `You receive this email because ${inviter} entered your address. If you do not know why, ignore it: nothing happens.`,
    })
  },
})

/**
 * Has the letters of new invitations, whose ids are known by address, sent as far as there may be more;
 * in the transaction that makes them, under the lock of access.
 */
export async function enqueueInvitations(
  tx: Db,
  cause: LetterCause,
  { invited, sender_id }: { invited: ReadonlyMap<string, number>; sender_id: number },
): Promise<void> {
  const requests = [...invited].map(([email, id]) => ({
    key: String(id),
    payload: { invitation_id: id },
    sender_id,
    email,
  }))
  await enqueueLettersToStrangers(tx, cause, invitationLetter, requests)
}

export const invitationTasks = [invitationLetter]
