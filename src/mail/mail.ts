import { type Clock, timestamp } from '../kernel/clock.ts'
import { newRequestId } from '../kernel/ids.ts'
import { limits } from '../kernel/limits.ts'

/** The mail server that emails are sent through. */
export type SmtpServer = {
  host: string
  port: number
  /** Whether to use TLS from the start; otherwise STARTTLS is used if the server supports it. */
  isSecure: boolean
  user: string | undefined
  password: string | undefined
}

export type EmailMessage = {
  /** A single address without a name. */
  to: string
  subject: string
  /** Plain text. Its lines may have any length. */
  text: string
  /** The same content as HTML. */
  html: string
  /** The conversation of the email in mail programs. The first email of a thread has `isFirst`. */
  thread?: { name: string; isFirst: boolean }
  headers?: Readonly<Partial<Record<EmailHeader, string>>>
}

/** Headers that features set, so that mail programs can sort emails and unsubscribe from them. */
export type EmailHeader =
  | 'List-Id'
  | 'List-Unsubscribe'
  | 'List-Unsubscribe-Post'
  | `X-GitLab-${string}`

/** Sends an email. Throws MailError if a retry may succeed. */
export type SendEmail = (email: EmailMessage) => Promise<void>

/** Why an email was not sent: error codes, and the status codes of the mail server. */
export class MailError extends Error {
  readonly isForGood: boolean

  constructor(message: string, { isForGood = false } = {}) {
    super(message)
    this.name = 'MailError'
    this.isForGood = isForGood
  }
}

type MailOptions = {
  server: SmtpServer
  /** The sender's address. */
  from: string
  /** The host of the instance, for EHLO and Message-ID. */
  host: string
  clock: Clock
  /** Called when the mail server refuses an email permanently. The email is not sent again. */
  onRefused: (error: MailError) => void
}

/** Returns the function that sends emails through a mail server. Nothing is loaded or connected before the first one. */
export function createEmailSender(options: MailOptions): SendEmail {
  const { clock, onRefused } = options
  let avoidedUntil = ''
  return async (email) => {
    if (!plainAddress.test(email.to)) return onRefused(unsayable())
    if (timestamp(clock) < avoidedUntil)
      throw new MailError('the mail server is unreachable, retrying later')
    try {
      await hand(email, options)
    } catch (error) {
      const failure = mailErrorOf(error)
      if (failure.isForGood) return onRefused(failure)
      if (!hasAnswered(error)) {
        avoidedUntil = new Date(clock().getTime() + limits.mail.avoided_ms).toISOString()
      }
      throw failure
    }
  }
}

/**
 * Matches addresses without characters that have a meaning in lists of addresses. With quotes or commas, the
 * email could go to another address, which nobody has confirmed.
 */
const plainAddress = /^[^\s\p{Cc}"(),:;<>@[\\\]]+@[^\s\p{Cc}"(),:;<>@[\\\]]+$/u

function unsayable(): MailError {
  return new MailError(
    'email not sent: the address has quotes, commas or other special characters',
    {
      isForGood: true,
    },
  )
}

async function hand(
  { to, subject, text, html, thread, headers = {} }: EmailMessage,
  options: MailOptions,
): Promise<void> {
  const { server, from, host } = options
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    ...encryptionOf(server),
    ...(server.user === undefined ? {} : { auth: { user: server.user, pass: server.password } }),
    name: host,
    dnsTimeout: limits.mail.step_ms,
    connectionTimeout: limits.mail.step_ms,
    greetingTimeout: limits.mail.step_ms,
    socketTimeout: limits.mail.step_ms,
    // Allows a mail server on this machine even if the machine has no network.
    allowInternalNetworkInterfaces: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  await transport.sendMail({
    from: { name: 'Bloomery', address: from },
    to: { name: '', address: to },
    envelope: { from, to: [to] },
    subject: oneLine(subject),
    text,
    html,
    ...threadingOf(thread, host),
    headers: {
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, oneLine(value ?? '')]),
      ),
      // Prevents automatic replies (RFC 3834).
      'Auto-Submitted': 'auto-generated',
    },
    signal: AbortSignal.timeout(limits.mail.email_ms),
  })
}

/** A line of an email has at most 998 characters, with the name of the header (RFC 5322, section 2.1.1). */
const header_characters = 900

/** Removes line breaks, which a header must not contain. */
function oneLine(value: string): string {
  return value.replace(/\p{Cc}+/gu, ' ').slice(0, header_characters)
}

/** Returns the headers that group the emails of a thread (RFC 5322, section 3.6.4): all of them reply to the first one. */
function threadingOf(thread: EmailMessage['thread'], host: string) {
  const own = `<${newRequestId()}@${host}>`
  if (!thread) return { messageId: own }
  const first = `<${thread.name}@${host}>`
  return thread.isFirst
    ? { messageId: first }
    : { messageId: own, inReplyTo: first, references: first }
}

/** Returns the TLS options. A password is sent only over an encrypted connection, or to this machine. */
function encryptionOf({ host, user, isSecure }: SmtpServer) {
  if (isSecure) return {}
  if (/^(localhost|127\.[\d.]+|::1)$/.test(host)) return { ignoreTLS: true }
  return user === undefined ? {} : { requireTLS: true }
}

type Failure = {
  code?: string
  /** The error below SMTP, such as ECONNREFUSED or a problem with the certificate. */
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number
}

function mailErrorOf(error: unknown): MailError {
  const {
    // An error in our own code has no `code`.
    code = (error as Error).name,
    originalCode,
    command = '',
    response = '',
    responseCode,
  } = error as Failure
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  const parts = [code, originalCode, responseCode, status].filter((part) => part !== undefined)
  const isRefusal = responseCode !== undefined && responseCode >= 500 && responseCode !== 503
  return new MailError(`the mail server rejected the email: ${parts.join(' ')}`, {
    isForGood: isRefusal && ['RCPT TO', 'DATA'].includes(command),
  })
}

function hasAnswered(error: unknown): boolean {
  return (error as Failure).responseCode !== undefined
}
