// Somebody with a mailbox: an application whose letters a test reads instead of a mail server.
import type { Letter } from '../../src/mail/mail.ts'
import { startApp, type TestApp } from './app.ts'

export const mailSettings = { BLOOMERY_SMTP_URL: 'smtp://mail.test:587' }

export type MailApp = TestApp & {
  /** Runs every task that is due and answers the letters that were sent by that. */
  deliver: () => Promise<Letter[]>
}

/** An application of its own that sends letters to the test. */
export async function startMailApp(settings: Record<string, string> = {}): Promise<MailApp> {
  const letters: Letter[] = []
  const sendLetter = async (letter: Letter) => void letters.push(letter)
  const app = await startApp({ ...mailSettings, ...settings }, { sendLetter })
  return {
    ...app,
    async deliver() {
      await app.worker.drain()
      return letters.splice(0)
    },
  }
}

/** The token in the one link of a letter that has one. */
export function tokenIn(letter: Pick<Letter, 'text'> | undefined): string {
  const token = /_token=([\w-]+)/.exec(letter?.text ?? '')?.[1]
  if (token === undefined) throw new Error(`No token is in ${letter?.text}`)
  return token
}
