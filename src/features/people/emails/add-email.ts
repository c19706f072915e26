import type { Db } from '../../../db/db.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { isEmail } from '../../../kernel/names.ts'
import { acceptInvitations } from '../members/accept-invitations.ts'
import { enqueueConfirmationEmail } from '../outgoing-emails/confirmation.tasks.ts'
import type { EmailContext } from '../outgoing-emails/email-task.ts'
import { type Email, insertEmail, isPrimaryAddress, listEmails } from './email.store.ts'
import { lockEmailAddressTables } from './email.ts'

/**
 * Adds an email address to a user, in the caller's transaction. It counts once the user follows the link in an email, or
 * at once if an administrator says so (`isConfirmed`). Throws 400 by field if it is invalid or taken.
 */
export async function addEmail(
  db: Db,
  { clock, config }: EmailContext,
  { user_id, email, isConfirmed }: { user_id: number; email: string; isConfirmed: boolean },
): Promise<Email> {
  if (email.trim() === '') throw invalid({ email: ["can't be blank"] })
  if (!isEmail(email)) throw invalid({ email: ['is invalid'] })
  await lockEmailAddressTables(db)
  const { length: total } = await listEmails(db, user_id)
  if (total >= limits.emails_max) throw invalid({ email: ['is one too many'] })
  const created_at = timestamp(clock)
  const confirmed_at = isConfirmed ? created_at : null
  const isTaken = await isPrimaryAddress(db, email)
  const added = isTaken
    ? undefined
    : await insertEmail(db, { user_id, email, confirmed_at, created_at })
  if (!added) throw invalid({ email: ['has already been taken'] })
  if (isConfirmed) await acceptInvitations(db, clock, { id: user_id, email })
  else await enqueueConfirmationEmail(db, { clock, config }, { user_id, email })
  return added
}
