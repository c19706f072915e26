import { levelName } from '../../access/level.ts'
import type { Db } from '../../db/db.ts'
import { today } from '../../kernel/clock.ts'
import {
  defineLetter,
  enqueueLetters,
  type LetterCause,
  letterText,
  linkTo,
  nameInLetter,
} from '../letters/letter.ts'
import { findInvitationPlace } from './invitation.store.ts'

/** Tells an address what it was invited to. */
export const invitationLetter = defineLetter({
  name: 'send-invitation',
  async write({ db, clock, config }, { invitation_id }: { invitation_id: number }) {
    const invitation = await findInvitationPlace(db, invitation_id)
    if (!invitation) return undefined
    const { email, kind, name, full_path, access_level, expires_at, created_by_name } = invitation
    if (expires_at !== null && expires_at <= today(clock)) return undefined
    const inviter = created_by_name === null ? 'Somebody' : nameInLetter(created_by_name)
    const where = `the ${kind} ${nameInLetter(name)}`
    return {
      to: email,
      subject: `Invitation to ${where}`,
      text: letterText(config, [
        'Hello!',
        `${inviter} has invited you to ${where} as ${levelName(access_level)}:`,
        linkTo(config, full_path),
        'You are a member as soon as an account has this address and has confirmed it. If you have one with another address, add this one to it; otherwise ask whoever invited you for an account.',
      ]),
    }
  },
})

/** Has the letters of new invitations sent; in the transaction that makes them. */
export async function enqueueInvitations(
  tx: Db,
  cause: LetterCause,
  ids: readonly number[],
): Promise<void> {
  const requests = ids.map((id) => ({ key: String(id), payload: { invitation_id: id } }))
  await enqueueLetters(tx, cause, invitationLetter, requests)
}
