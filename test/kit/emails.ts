// Somebody with a mailbox: an application whose emails a test reads instead of a mail server.
import type { EmailMessage } from '../../src/mail/mail.ts'
import { startApp, type TestApp } from './app.ts'

export const mailSettings = { BLOOMERY_SMTP_URL: 'smtp://mail.test:587' }

export type MailApp = TestApp & {
  /** Runs every task that is due and answers the emails that were sent by that. */
  deliver: () => Promise<EmailMessage[]>
}

/** An application of its own that sends emails to the test. */
export async function startMailApp(settings: Record<string, string> = {}): Promise<MailApp> {
  const emails: EmailMessage[] = []
  const sendEmail = async (email: EmailMessage) => void emails.push(email)
  const app = await startApp({ ...mailSettings, ...settings }, { sendEmail })
  return {
    ...app,
    async deliver() {
      await app.worker.drain()
      return emails.splice(0)
    },
  }
}

/** The token in the one link of an email that has one. */
export function tokenIn(email: Pick<EmailMessage, 'text'> | undefined): string {
  const token = /_token=([\w-]+)/.exec(email?.text ?? '')?.[1]
  if (token === undefined) throw new Error(`No token is in ${email?.text}`)
  return token
}
