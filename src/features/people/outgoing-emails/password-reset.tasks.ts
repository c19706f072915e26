import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { canReceiveEmails, findUser } from '../../../subjects/user.ts'
import { defineTask } from '../../../tasks/task.ts'
import type { PageLanguage } from '../profiles/preferences.ts'
import { listUserIdsByAddress } from './address.store.ts'
import {
  buildEmailLink,
  commonEmailTexts,
  composeEmail,
  defineEmailTask,
  type EmailContext,
  emailLanguageOf,
  enqueueEmails,
  sanitizeNameForEmail,
} from './email-task.ts'
import { deleteLinkTokens, listUserIdsWithoutRecentToken, replaceLinkToken } from './link-token.ts'

const purpose = 'reset-password'

const english = {
  created: 'Account was created for you',
  reset: 'Reset password instructions',
  createdText: (username: string) =>
    `An administrator has created an account for you. Your username is ${username}.`,
  resetText: (username: string) =>
    `Someone, hopefully you, has asked to reset the password of your account ${username}.`,
  setFirst: 'Set your password',
  setNew: 'Set a new password',
  validity: 'This link is valid for two days.',
  createdReason:
    'You receive this email because an administrator created an account with your address. If you do not expect one, ignore it.',
  resetReason:
    'You receive this email because someone entered your address on the page for forgotten passwords. If it was not you, ignore it: your password stays the same.',
  changed: 'Password changed',
  changedText: (username: string) => `The password of your account ${username} was changed.`,
}

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    created: 'Für Sie wurde ein Konto erstellt',
    reset: 'Passwort zurücksetzen',
    createdText: (username) =>
      `Ein Administrator hat ein Konto für Sie erstellt. Ihr Benutzername lautet ${username}.`,
    resetText: (username) =>
      `Jemand, hoffentlich Sie, möchte das Passwort Ihres Kontos ${username} zurücksetzen.`,
    setFirst: 'Passwort festlegen',
    setNew: 'Neues Passwort festlegen',
    validity: 'Dieser Link ist zwei Tage lang gültig.',
    createdReason:
      'Sie erhalten diese E-Mail, weil ein Administrator ein Konto mit Ihrer Adresse erstellt hat. Wenn Sie keines erwarten, ignorieren Sie sie.',
    resetReason:
      'Sie erhalten diese E-Mail, weil jemand Ihre Adresse auf der Seite für vergessene Passwörter eingegeben hat. Wenn Sie das nicht waren, ignorieren Sie sie: Ihr Passwort bleibt unverändert.',
    changed: 'Passwort geändert',
    changedText: (username) => `Das Passwort Ihres Kontos ${username} wurde geändert.`,
  },
}

/** Sends the link with which a user sets their password: the first one of a new account, or another one. */
export const passwordResetEmailTask = defineEmailTask({
  name: 'send-password-reset',
  async write({ db, clock, config }, { user_id, is_new }: { user_id: number; is_new: boolean }) {
    const user = await findUser(db, user_id)
    if (!user || !canReceiveEmails(user)) return undefined
    // The email goes to the stored address, however the request spelled it.
    const { email } = user
    const token = await replaceLinkToken(db, clock, { user_id, purpose, email })
    const language = emailLanguageOf(user)
    const text = texts[language]
    return composeEmail(config, {
      to: email,
      language,
      subject: is_new ? text.created : text.reset,
      paragraphs: [
        commonEmailTexts[language].greeting(sanitizeNameForEmail(user.name)),
        is_new ? text.createdText(user.username) : text.resetText(user.username),
      ],
      link: {
        words: is_new ? text.setFirst : text.setNew,
        url: buildEmailLink(config, `users/password/edit?reset_password_token=${token}`),
      },
      notes: [text.validity],
      reason: is_new ? text.createdReason : text.resetReason,
    })
  },
})

/** Enqueues the email with the link, in the transaction that makes it necessary. */
export async function enqueuePasswordResetEmail(
  tx: Db,
  cause: EmailContext,
  { user_id, isNew }: { user_id: number; isNew: boolean },
): Promise<void> {
  const request = { key: String(user_id), payload: { user_id, is_new: isNew } }
  await enqueueEmails(tx, cause, passwordResetEmailTask, [request])
}

/**
 * Sends the link to the user with this primary address. The request came from an unknown caller, so it was answered
 * before anything was looked up. Safe to repeat: an email that is waiting to be sent is not enqueued twice.
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

/** Notifies a user that their password was changed, in case it was not them. */
export const passwordChangeEmailTask = defineEmailTask({
  name: 'send-password-notice',
  async write({ db, config }, { user_id }: { user_id: number }) {
    const user = await findUser(db, user_id)
    if (!user || !canReceiveEmails(user)) return undefined
    const language = emailLanguageOf(user)
    const { greeting, contactAdministrator, securityReason } = commonEmailTexts[language]
    return composeEmail(config, {
      to: user.email,
      language,
      subject: texts[language].changed,
      paragraphs: [
        greeting(sanitizeNameForEmail(user.name)),
        texts[language].changedText(user.username),
        contactAdministrator,
      ],
      reason: securityReason,
    })
  },
})

/** Runs in the transaction that sets a new password: deletes older links and notifies the user. */
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
