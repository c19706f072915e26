// A mail server for tests: a real one, that keeps what it is sent.
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type Received = {
  from: string
  to: string[]
  /** By lower-case name, unfolded. */
  headers: Map<string, string>
  text: string
  /** Undefined of an email that is plain text alone. */
  html: string | undefined
}

type Options = {
  port?: number
  /** The one password it takes; none is asked for without. */
  password?: string
  /** What it answers to recipients or to the email, such as `550 5.1.1 no such user`. */
  refuse?: { recipient?: string; email?: (raw: string) => string }
}

export async function startSmtp({ port = 0, password, refuse = {} }: Options = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS', ...(password === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.password === password
        ? done(null, { user: auth.username })
        : done(Object.assign(new Error(`no: ${auth.password}`), { responseCode: 535 })),
    onRcptTo: (_address, _session, done) => done(answerOf(refuse.recipient)),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        const refusal = answerOf(refuse.email?.(raw))
        if (!refusal) received.push(parse(raw, envelope))
        done(refusal)
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: listening } = server.server.address() as AddressInfo
  return {
    port: listening,
    received,
    connections: () => server.connections.size,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function answerOf(answer: string | undefined): Error | undefined {
  if (answer === undefined) return undefined
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) })
}

type Envelope = { mailFrom: { address: string } | false; rcptTo: { address: string }[] }

function parse(raw: string, { mailFrom, rcptTo }: Envelope): Received {
  const [headers, body] = headOf(raw)
  const parts = partsOf(headers, body)
  const from = mailFrom === false ? '' : mailFrom.address
  const text = parts.get('text/plain') ?? ''
  const html = parts.get('text/html')
  return { from, to: rcptTo.map(({ address }) => address), headers, text, html }
}

/** The parts of an email by their type: itself, or those of `multipart/alternative` (RFC 2046, section 5.1). */
function partsOf(headers: ReadonlyMap<string, string>, body: string): Map<string, string> {
  const type = headers.get('content-type') ?? ''
  const boundary = /^multipart\/alternative;.*boundary="([^"]+)"/.exec(type)?.[1]
  if (boundary !== undefined) {
    const pieces = body.split(`--${boundary}`).slice(1, -1)
    return new Map(
      pieces.flatMap((piece) => {
        const [head, inner] = headOf(piece.replace(/^\r\n/, '').replace(/\r\n$/, ''))
        return [...partsOf(head, inner)]
      }),
    )
  }
  const encoding = headers.get('content-transfer-encoding')
  const text =
    encoding === 'quoted-printable'
      ? decodeQuotedPrintable(body)
      : encoding === 'base64'
        ? Buffer.from(body, 'base64').toString()
        : body
  return new Map([[type.split(';')[0] ?? '', text.replaceAll('\r\n', '\n')]])
}

/** Headers by lower-case name, unfolded, and what follows them. */
function headOf(raw: string): [Map<string, string>, string] {
  const [head = '', body = ''] = raw.split(/\r\n\r\n(.*)/s)
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return [new Map(headers), body]
}

/** RFC 2045, section 6.7. */
export function decodeQuotedPrintable(text: string): string {
  const joined = text.replaceAll('=\r\n', '')
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_, hex) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
