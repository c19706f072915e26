import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { canReceiveEmails, findUser, type User } from '../../../subjects/user.ts'
import { defineTask } from '../../../tasks/task.ts'
import type { PageLanguage } from '../profiles/preferences.ts'
import { listUserIdsAwaitingAddress } from './address.store.ts'
import {
  buildEmailLink,
  commonEmailTexts,
  composeEmail,
  defineEmailTask,
  type EmailContext,
  emailLanguageOf,
  enqueueEmails,
  enqueueEmailsToStrangers,
  sanitizeNameForEmail,
} from './email-task.ts'
import { listUserIdsWithoutRecentToken, replaceLinkToken } from './link-token.ts'
import { findPendingAddress } from './pending-address.ts'

const purpose = 'confirm-email'

const english = {
  confirm: 'Confirm your email address',
  confirmText: (username: string) =>
    `Confirm that this email address belongs to your account ${username}.`,
  confirmLink: 'Confirm email address',
  validity: 'This link is valid for one day.',
  confirmReason: (username: string) =>
    `You receive this email because the account ${username} names your address. If it is not yours, ignore it: the address is not used.`,
  changed: 'Your email address was changed',
  changing: 'Your email address will be changed',
  changedText: (to: string) => `The email address of your account is now ${to}.`,
  changingText: (to: string) =>
    `The email address of your account will be ${to} as soon as it is confirmed.`,
}

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    confirm: 'Bestätigen Sie Ihre E-Mail-Adresse',
    confirmText: (username) =>
      `Bestätigen Sie, dass diese E-Mail-Adresse zu Ihrem Konto ${username} gehört.`,
    confirmLink: 'E-Mail-Adresse bestätigen',
    validity: 'Dieser Link ist einen Tag lang gültig.',
    confirmReason: (username) =>
      `Sie erhalten diese E-Mail, weil im Konto ${username} Ihre Adresse angegeben ist. Wenn das nicht Ihr Konto ist, ignorieren Sie sie: Die Adresse wird nicht verwendet.`,
    changed: 'Ihre E-Mail-Adresse wurde geändert',
    changing: 'Ihre E-Mail-Adresse wird geändert',
    changedText: (to) => `Die E-Mail-Adresse Ihres Kontos ist jetzt ${to}.`,
    changingText: (to) =>
      `Die E-Mail-Adresse Ihres Kontos ist ${to}, sobald diese Adresse bestätigt ist.`,
  },
}

/** Sends the link that confirms an email address. */
export const confirmationEmailTask = defineEmailTask({
  name: 'send-confirmation',
  async write({ db, clock, config }, { user_id, email }: { user_id: number; email: string }) {
    const user = await findUser(db, user_id)
    if (!user || !canReceiveEmails(user)) return undefined
    const pending = await findPendingAddress(db, user, email)
    if (!pending) return undefined
    const token = await replaceLinkToken(db, clock, { user_id, purpose, email: pending.email })
    const language = emailLanguageOf(user)
    const text = texts[language]
    return composeEmail(config, {
      to: pending.email,
      language,
      subject: text.confirm,
      paragraphs: [
        commonEmailTexts[language].greeting(sanitizeNameForEmail(user.name)),
        text.confirmText(user.username),
      ],
      link: {
        words: text.confirmLink,
        url: buildEmailLink(config, `users/confirmation?confirmation_token=${token}`),
      },
      notes: [text.validity],
      reason: text.confirmReason(user.username),
    })
  },
})

/**
 * Enqueues the confirmation email for a waiting address, in the transaction that makes it wait. Not within a minute of the
 * last one, whose link is still valid, and not beyond the limits for emails to strangers, since the address may belong to
 * anybody.
 */
export async function enqueueConfirmationEmail(
  tx: Db,
  cause: EmailContext,
  { user_id, email }: { user_id: number; email: string },
): Promise<void> {
  await enqueueConfirmations(tx, cause, { user_ids: [user_id], email })
}

async function enqueueConfirmations(
  tx: Db,
  cause: EmailContext,
  { user_ids, email }: { user_ids: readonly number[]; email: string },
): Promise<void> {
  const due = await listUserIdsWithoutRecentToken(tx, cause.clock, { user_ids, purpose, email })
  const requests = due.map((user_id) => ({
    key: `${user_id}:${email.toLowerCase()}`,
    payload: { user_id, email },
    sender_id: user_id,
    email,
  }))
  await enqueueEmailsToStrangers(tx, cause, confirmationEmailTask, requests)
}

/**
 * Sends another confirmation link if an address waits for confirmation. The request came from an unknown caller, so it
 * was answered before anything was looked up. Safe to repeat: an email that is waiting to be sent is not enqueued twice.
 */
export const requestConfirmationTask = defineTask({
  name: 'request-confirmation',
  lane: 'mail',
  async run(
    { db, clock, config }: Pick<Instance, 'db' | 'clock' | 'config'>,
    { email }: { email: string },
  ) {
    const user_ids = await listUserIdsAwaitingAddress(db, email)
    await enqueueConfirmations(db, { clock, config }, { user_ids, email })
  },
})

type AddressChange = { user_id: number; from: string; to: string; is_done: boolean }

/** Notifies the old address, whose reader may be another person than the one who requested the change. */
export const addressChangeEmailTask = defineEmailTask({
  name: 'send-address-notice',
  async write({ db, config }, { user_id, from, to, is_done }: AddressChange) {
    const user = await findUser(db, user_id)
    if (!user || !canReceiveEmails(user)) return undefined
    const language = emailLanguageOf(user)
    const { greeting, contactAdministrator, securityReason } = commonEmailTexts[language]
    const text = texts[language]
    return composeEmail(config, {
      to: from,
      language,
      subject: is_done ? text.changed : text.changing,
      paragraphs: [
        greeting(sanitizeNameForEmail(user.name)),
        is_done ? text.changedText(to) : text.changingText(to),
        contactAdministrator,
      ],
      reason: securityReason,
    })
  },
})

/** Enqueues the emails about a changed address, in the transaction of the change; none if it did not change. */
export async function enqueueAddressChangeEmails(
  tx: Db,
  cause: EmailContext,
  { before, after }: { before: User; after: User },
): Promise<void> {
  const isSame = (a: string | null, b: string | null) => a?.toLowerCase() === b?.toLowerCase()
  const asked = isSame(before.unconfirmed_email, after.unconfirmed_email)
    ? null
    : after.unconfirmed_email
  if (asked === null && isSame(before.email, after.email)) return
  const { id: user_id } = after
  const waits = asked ?? (after.confirmed_at === null ? after.email : null)
  if (waits !== null) await enqueueConfirmationEmail(tx, cause, { user_id, email: waits })
  // An unconfirmed old address may belong to a stranger, who gets no notice.
  if (before.confirmed_at === null) return
  const payload = {
    user_id,
    from: before.email,
    to: asked ?? after.email,
    is_done: asked === null,
  }
  const key = `${user_id}:${payload.to.toLowerCase()}:${payload.is_done}`
  await enqueueEmails(tx, cause, addressChangeEmailTask, [{ key, payload }])
}

export const confirmationEmailTasks = [
  confirmationEmailTask,
  requestConfirmationTask,
  addressChangeEmailTask,
]
