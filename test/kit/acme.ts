// An authority that issues certificates by ACME (RFC 8555): it checks what it is sent, asks the domain for its
// answer over a real connection, and signs.
import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MadeCertificate, newCertificate, signRequest } from './certificates.ts'
import { atFileEnd } from './file-end.ts'
import { browse } from './sites.ts'

export type Authority = {
  directory: string
  /** Where the domains it is asked for are served. */
  sitePort: number
  root: MadeCertificate
  /** How long its certificates are good. */
  days: number
  /** What it says of a domain instead of issuing. */
  refusals: Map<string, string>
  accounts: JsonWebKey[]
  issued: string[]
}

type Order = {
  id: string
  domain: string
  token: string
  status: string
  answer: string
  certificate?: string
}
type JsonWebKey = Extract<Parameters<typeof createPublicKey>[0], { format: 'jwk' }>['key']
type Message = { protected: string; payload: string; signature: string }

const text = (part: string) => Buffer.from(part, 'base64url').toString()
const ca = 'basicConstraints=critical,CA:TRUE'

export async function startAuthority(): Promise<Authority> {
  const nonces = new Set<string>()
  const accounts = new Map<string, JsonWebKey>()
  const orders = new Map<string, Order>()
  let base = ''
  const authority: Authority = {
    directory: '',
    sitePort: 0,
    root: newCertificate({ subject: '/CN=Test authority', extensions: ca }),
    days: 90,
    refusals: new Map(),
    accounts: [],
    issued: [],
  }

  const send = (
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ) => {
    const nonce = randomUUID()
    nonces.add(nonce)
    const isText = typeof body === 'string'
    response.writeHead(status, {
      'replay-nonce': nonce,
      'content-type': isText
        ? 'application/pem-certificate-chain'
        : status < 400
          ? 'application/json'
          : 'application/problem+json',
      ...headers,
    })
    response.end(isText ? body : JSON.stringify(body))
  }
  const refuse = (response: ServerResponse, status: number, type: string, detail: string) =>
    send(response, status, { type: `urn:ietf:params:acme:error:${type}`, detail, status })

  const shown = ({ id, domain, status, certificate }: Order) => ({
    status: status === 'authorized' ? 'ready' : status,
    identifiers: [{ type: 'dns', value: domain }],
    authorizations: [`${base}/authorization/${id}`],
    finalize: `${base}/finalize/${id}`,
    ...(certificate ? { certificate: `${base}/certificate/${id}` } : {}),
  })
  const challengeOf = ({ id, token, status }: Order) => ({
    type: 'http-01',
    url: `${base}/challenge/${id}`,
    token,
    status: status === 'pending' ? 'pending' : status === 'invalid' ? 'invalid' : 'valid',
    ...(status === 'invalid'
      ? {
          error: {
            type: 'urn:ietf:params:acme:error:unauthorized',
            detail: 'The domain gave another answer',
          },
        }
      : {}),
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, kind = '', id = ''] = (request.url ?? '').split('/')
    if (kind === 'directory') {
      const address = (name: string) => `${base}/${name}`
      return send(response, 200, {
        newNonce: address('nonce'),
        newAccount: address('account'),
        newOrder: address('order'),
        revokeCert: address('revoke'),
        keyChange: address('key'),
      })
    }
    if (kind === 'nonce') return send(response, 200, {})
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const message: Message = JSON.parse(Buffer.concat(chunks).toString())
    const head = JSON.parse(text(message.protected))
    const key: JsonWebKey | undefined = head.jwk ?? accounts.get(head.kid)
    const isSigned =
      key !== undefined &&
      nonces.delete(head.nonce) &&
      head.url === `${base}${request.url}` &&
      verify(
        'sha256',
        Buffer.from(`${message.protected}.${message.payload}`),
        { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
        Buffer.from(message.signature, 'base64url'),
      )
    if (!isSigned)
      return refuse(response, 400, 'malformed', 'The request is not signed as it must be')
    const payload = message.payload === '' ? {} : JSON.parse(text(message.payload))
    if (kind === 'account') {
      const location = `${base}/account/${createHash('sha256')
        .update(key.x ?? '')
        .digest('hex')}`
      const isNew = !accounts.has(location)
      accounts.set(location, key)
      if (isNew) authority.accounts.push(key)
      return send(response, isNew ? 201 : 200, { status: 'valid' }, { location })
    }
    if (kind === 'order' && id === '') {
      const domain = payload.identifiers[0].value
      const refusal = authority.refusals.get(domain)
      if (refusal) return refuse(response, 400, 'rejectedIdentifier', refusal)
      const token = randomUUID().replaceAll('-', '')
      const thumbprint = createHash('sha256')
        .update(JSON.stringify({ crv: key.crv, kty: key.kty, x: key.x, y: key.y }))
        .digest('base64url')
      const order = {
        id: randomUUID(),
        domain,
        token,
        status: 'pending',
        answer: `${token}.${thumbprint}`,
      }
      orders.set(order.id, order)
      return send(response, 201, shown(order), { location: `${base}/order/${order.id}` })
    }
    const order = orders.get(id)
    if (!order) return refuse(response, 404, 'malformed', 'There is no such order')
    if (kind === 'challenge' && order.status === 'pending') {
      const address = `http://${order.domain}/.well-known/acme-challenge/${order.token}`
      const answer = await browse(address, { port: authority.sitePort })
      order.status =
        answer.status === 200 && answer.text === order.answer ? 'authorized' : 'invalid'
    }
    if (kind === 'challenge') return send(response, 200, challengeOf(order))
    if (kind === 'authorization') {
      const { status } = challengeOf(order)
      const identifier = { type: 'dns', value: order.domain }
      return send(response, 200, { status, identifier, challenges: [challengeOf(order)] })
    }
    if (kind === 'finalize' && order.status === 'authorized') {
      order.certificate = signRequest(Buffer.from(payload.csr, 'base64url'), {
        issuer: authority.root,
        days: authority.days,
      })
      order.status = 'valid'
      authority.issued.push(order.domain)
    }
    if (kind === 'certificate') {
      return send(response, 200, `${order.certificate}${authority.root.certificate}`)
    }
    return send(response, 200, shown(order), { location: `${base}/order/${order.id}` })
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error) =>
      refuse(response, 500, 'serverInternal', String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  authority.directory = `${base}/directory`
  atFileEnd(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return authority
}
