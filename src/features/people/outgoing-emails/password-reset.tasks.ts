import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { canReceiveEmails, findUser } from '../../../subjects/user.ts'
import { defineTask } from '../../../tasks/task.ts'
import { listUserIdsByAddress } from './address.store.ts'
import {
  buildEmailLink,
  composeEmail,
  defineEmailTask,
  type EmailContext,
  enqueueEmails,
  sanitizeNameForEmail,
  securityEmailReason,
} from './email-task.ts'
import { deleteLinkTokens, listUserIdsWithoutRecentToken, replaceLinkToken } from './link-token.ts'

const purpose = 'reset-password'

/** The link by which a user sets their password: the first one of a new account, or another. */
export const passwordResetEmailTask = defineEmailTask({
  name: 'send-password-reset',
  async write({ db, clock, config }, { user_id, is_new }: { user_id: number; is_new: boolean }) {
    const user = await findUser(db, user_id)
    if (!user || !canReceiveEmails(user)) return undefined
    // To the address as it was given to us, however somebody who asks may have spelt it.
    const { email } = user
    const token = await replaceLinkToken(db, clock, { user_id, purpose, email })
    return composeEmail(config, {
      to: email,
      subject: is_new ? 'Account was created for you' : 'Reset password instructions',
      paragraphs: [
        `Hello, ${sanitizeNameForEmail(user.name)}!`,
        is_new
          ? `An administrator has created an account for you. Your username is ${user.username}.`
          : `Someone, hopefully you, has asked to reset the password of your account ${user.username}.`,
      ],
      link: {
        words: is_new ? 'Set your password' : 'Set a new password',
        url: buildEmailLink(config, `users/password/edit?reset_password_token=${token}`),
      },
      notes: ['This link is valid for two days.'],
      reason: is_new
        ? 'You receive this email because an administrator created an account with your address. If you do not expect one, ignore it.'
        : 'You receive this email because someone entered your address on the page for forgotten passwords. If it was not you, ignore it: your password stays the same.',
    })
  },
})

/** Has the link sent; in the transaction of what makes it needed. */
export async function enqueuePasswordResetEmail(
  tx: Db,
  cause: EmailContext,
  { user_id, isNew }: { user_id: number; isNew: boolean },
): Promise<void> {
  const request = { key: String(user_id), payload: { user_id, is_new: isNew } }
  await enqueueEmails(tx, cause, passwordResetEmailTask, [request])
}

/**
 * Has the link sent to whoever has the primary address. Somebody unknown asked for it, so the answer was
 * given before anything was looked up. Safe to repeat: an email that waits is not asked for twice.
 */
export const requestPasswordResetTask = defineTask({
  name: 'request-password-reset',
  lane: 'mail',
  async run(
    { db, clock, config }: Pick<Instance, 'db' | 'clock' | 'config'>,
    { email }: { email: string },
  ) {
    const user_ids = await listUserIdsByAddress(db, email)
    const [user_id] = await listUserIdsWithoutRecentToken(db, clock, { user_ids, purpose, email })
    if (user_id === undefined) return
    await enqueuePasswordResetEmail(db, { clock, config }, { user_id, isNew: false })
  },
})

/** Tells a user that their password is another one: it may not have been them. */
export const passwordChangeEmailTask = defineEmailTask({
  name: 'send-password-notice',
  async write({ db, config }, { user_id }: { user_id: number }) {
    const user = await findUser(db, user_id)
    if (!user || !canReceiveEmails(user)) return undefined
    return composeEmail(config, {
      to: user.email,
      subject: 'Password changed',
      paragraphs: [
        `Hello, ${sanitizeNameForEmail(user.name)}!`,
        `The password of your account ${user.username} was changed.`,
        'If you did not make this change, contact your administrator.',
      ],
      reason: securityEmailReason,
    })
  },
})

/** What follows from another password, in the transaction that sets it: older links set none any more. */
export async function invalidateResetLinksAndNotify(
  tx: Db,
  cause: EmailContext,
  user_id: number,
): Promise<void> {
  await deleteLinkTokens(tx, user_id, purpose)
  const request = { key: String(user_id), payload: { user_id } }
  await enqueueEmails(tx, cause, passwordChangeEmailTask, [request])
}

export const passwordEmailTasks = [
  passwordResetEmailTask,
  requestPasswordResetTask,
  passwordChangeEmailTask,
]
