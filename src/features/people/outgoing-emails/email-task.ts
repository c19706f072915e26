// Public functions of emails: what all emails to users share. The text of an email belongs to the feature that sends it.

import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import type { EmailMessage, SendEmail } from '../../../mail/mail.ts'
import type { User } from '../../../subjects/user.ts'
import { defineTask, enqueueAll, type Task, type TaskPayload } from '../../../tasks/task.ts'
import type { PageLanguage } from '../profiles/preferences.ts'
import { filterRecipientsWithinEmailLimits } from './counted-email.ts'
import { type EmailContent, renderEmailHtml, renderEmailText } from './email-body.ts'

/** What a change needs for enqueuing an email. */
export type EmailContext = Pick<Instance, 'clock' | 'config'>

type Waiting<Payload> = Payload & { until: string }

/** A task that sends an email. `sendEmail` is undefined if the server has no mail server. */
type EmailTask<Payload extends TaskPayload> = Task<
  Waiting<Payload>,
  Instance & { sendEmail: SendEmail | undefined }
>

/**
 * Declares a kind of email. `write` runs just before each attempt to send it: it creates the secrets in it, so that none
 * waits in the database, and returns undefined if the email is no longer needed. An email is sent at least once: if the
 * server crashes right after sending, it is sent again with a new link.
 */
export function defineEmailTask<Payload extends TaskPayload>({
  name,
  lane = 'mail',
  write,
}: {
  name: string
  lane?: 'mail' | 'notifications'
  write: (uses: Instance, payload: Payload) => Promise<EmailMessage | undefined>
}): EmailTask<Payload> {
  return defineTask({
    name,
    lane,
    attempts_max: limits.mail.attempts_max,
    async run({ sendEmail, ...uses }, payload) {
      if (!sendEmail || payload.until <= timestamp(uses.clock)) return
      const email = await write(uses, payload)
      if (email) await sendEmail(email)
    },
  })
}

/** Enqueues emails in the transaction of their cause; none if the server does not send emails. */
export async function enqueueEmails<Payload extends TaskPayload>(
  tx: Db,
  { clock, config }: EmailContext,
  email: EmailTask<Payload>,
  requests: readonly { key: string; payload: Payload }[],
): Promise<void> {
  if (!config.smtp) return
  const until = new Date(clock().getTime() + limits.mail.waiting_ms).toISOString()
  const waiting = requests.map(({ key, payload }) => ({ key, payload: { ...payload, until } }))
  await enqueueAll(tx, clock, { task: email, requests: waiting })
}

/**
 * Enqueues emails to unconfirmed addresses: as many as may be sent now, and drops the others. `sender_id` is the user for
 * whom they are sent.
 */
export async function enqueueEmailsToStrangers<Payload extends TaskPayload>(
  tx: Db,
  cause: EmailContext,
  email: EmailTask<Payload>,
  requests: readonly { key: string; payload: Payload; sender_id: number; email: string }[],
): Promise<void> {
  if (!cause.config.smtp) return
  await enqueueEmails(
    tx,
    cause,
    email,
    await filterRecipientsWithinEmailLimits(tx, cause.clock, requests),
  )
}

/** Returns the URL of a link in an email. It begins with the configured URL, never with the host of a request. */
export function buildEmailLink({ url }: Config, path: string): string {
  if (url === undefined) throw new Error('An email needs a link, and BLOOMERY_URL is not set.')
  return `${url}/${path}`
}

/** Returns an email in both forms, plain text and HTML, which say the same. */
export function composeEmail(
  { url = '' }: Config,
  {
    to,
    subject,
    thread,
    headers,
    ...content
  }: Pick<EmailMessage, 'to' | 'subject' | 'thread' | 'headers'> & EmailContent,
): EmailMessage {
  return {
    to,
    subject,
    ...(thread && { thread }),
    ...(headers && { headers }),
    text: renderEmailText({ url }, content),
    html: renderEmailHtml({ subject, url }, content),
  }
}

/**
 * Returns a name that a user chose in a form that is safe in emails: short, on one line, and without anything that mail
 * programs turn into a link, since emails carry the reputation of the server.
 */
export function sanitizeNameForEmail(name: string): string {
  const plain = name.replace(/[^\p{L}\p{M}\p{N}_'()+,&-]+/gu, ' ').trim()
  const characters = [...plain]
  const { name_characters } = limits.mail
  return characters.length <= name_characters
    ? plain
    : `${characters.slice(0, name_characters).join('')}…`
}

/** Returns the language of emails to an account: the one chosen for pages, otherwise English. */
export function emailLanguageOf({ language }: Pick<User, 'language'>): PageLanguage {
  return language === 'system' ? 'en' : language
}

const english = {
  greeting: (name: string) => `Hello, ${name}!`,
  contactAdministrator: 'If you did not make this change, contact your administrator.',
  /** The reason that emails about changes of the reader's own account give. */
  securityReason:
    'You receive this email because changes like this concern the safety of your account. These emails cannot be switched off.',
}

/** Sentences that several emails contain. */
export const commonEmailTexts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    greeting: (name) => `Guten Tag, ${name}!`,
    contactAdministrator:
      'Wenn Sie diese Änderung nicht vorgenommen haben, wenden Sie sich an Ihren Administrator.',
    securityReason:
      'Sie erhalten diese E-Mail, weil solche Änderungen die Sicherheit Ihres Kontos betreffen. Diese E-Mails lassen sich nicht abschalten.',
  },
}
