import { X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newCertificate, printed } from '../../../../test/kit/certificates.ts'
import { type NameServer, startNameServer } from '../../../../test/kit/dns.ts'
import { atFileEnd } from '../../../../test/kit/file-end.ts'
import { multipart } from '../../../../test/kit/form.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import { pagesDomainTasks } from './pages-domain.tasks.ts'

const day_ms = 24 * 60 * 60_000
let world: World
let names: NameServer
const own = newCertificate()
const other = newCertificate({ kind: 'rsa', subject: '/CN=other.test' })
const ended = newCertificate({ days: 1 })
const authority = newCertificate({
  subject: '/CN=An authority',
  extensions: 'basicConstraints=critical,CA:TRUE',
})
const issued = newCertificate({ issuer: authority, subject: '/CN=issued.test' })

beforeAll(async () => {
  names = await startNameServer()
  const app = await startApp({
    BLOOMERY_DNS_SERVERS: names.address,
    BLOOMERY_PAGES_HOST: 'pages.test',
  })
  atFileEnd(app.close)
  world = await newWorld(app)
  // Certificates made just now are good from now on.
  const from = new X509Certificate(own.certificate).validFromDate.getTime()
  app.clock.advance(from - app.clock.now().getTime() + 2 * day_ms)
})

/** What comes round by itself, and what that asks for. */
async function settle(): Promise<void> {
  const { db, config, clock, worker } = world.app
  for (const { every_ms, run } of pagesDomainTasks) {
    if (every_ms !== undefined) await run({ db, config, clock: clock.now }, { domain_id: 0 })
  }
  await worker.drain()
}

let made = 0
const newName = () => `site-${++made}.example.com`

async function newPlace() {
  const project = await world.newProject()
  return { project, url: `/projects/${project.id}/pages/domains` }
}

const record = (domain: string) => ({
  domain,
  url: `http://${domain}`,
  verified: false,
  verification_code: expect.stringMatching(/^[0-9a-f]{32}$/),
  enabled_until: null,
  auto_ssl_enabled: false,
})

const certified = (domain: string, { certificate } = own, expired = false) => ({
  ...record(domain),
  url: `https://${domain}`,
  certificate: {
    subject: printed(certificate).subject,
    expired,
    certificate,
    certificate_text: printed(certificate).text,
  },
})

const missing = { message: '404 PagesDomain Not Found' }

describe('Domains', () => {
  it('are added, listed, shown, changed and removed', async () => {
    const { url } = await newPlace()
    const client = world.as('maintainer')
    const [b, a] = [`b-${newName()}`, `a-${newName()}`]
    const added = await client.post(url, { domain: b })
    expect([added.statusCode, added.json()]).toEqual([201, record(b)])
    const second = await client.post(url, { domain: a, ...own })
    expect([second.statusCode, second.json()]).toEqual([201, certified(a)])
    const list = await client.get(url)
    expect([list.statusCode, list.json()]).toEqual([200, [certified(a), record(b)]])
    expect(list.headers['x-total']).toBe('2')
    const shown = await client.get(`${url}/${a}`)
    expect([shown.statusCode, shown.json()]).toEqual([200, certified(a)])
    const changed = await client.put(`${url}/${b}`, { auto_ssl_enabled: true })
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      { ...record(b), auto_ssl_enabled: true },
    ])
    const removed = await client.delete(`${url}/${b}`)
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    const gone = await client.get(`${url}/${b}`)
    expect([gone.statusCode, gone.json()]).toEqual([404, missing])
    expect((await client.get(url)).json()).toEqual([certified(a)])
  })

  it('are neither listed nor found, changed or removed in another project', async () => {
    const [here, there] = [await newPlace(), await newPlace()]
    const client = world.as('maintainer')
    const domain = newName()
    await client.post(here.url, { domain })
    const list = await client.get(there.url)
    expect([list.json(), list.headers['x-total']]).toEqual([[], '0'])
    const answers = [
      await client.get(`${there.url}/${domain}`),
      await client.put(`${there.url}/${domain}`, { auto_ssl_enabled: true }),
      await client.put(`${there.url}/${domain}/verify`),
      await client.delete(`${there.url}/${domain}`),
    ]
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([404, missing])
    }
    expect((await client.get(`${here.url}/${domain}`)).json()).toEqual(record(domain))
  })

  it('are a thousand at most in each project', async () => {
    const [full, other] = [await newPlace(), await newPlace()]
    const row = {
      project_id: full.project.id,
      verification_code: '',
      auto_ssl_enabled: false,
      certificate_source: 'user' as const,
      created_at: world.app.clock.now().toISOString(),
      updated_at: world.app.clock.now().toISOString(),
    }
    const { domains_max } = limits.pages
    const rows = Array.from({ length: domains_max }, () => ({ ...row, domain: newName() }))
    await world.app.db.insertInto('pages_domains').values(rows).execute()
    const client = world.as('maintainer')
    const refused = await client.post(full.url, { domain: newName() })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: { base: [`Maximum number of domains (${domains_max}) exceeded`] } },
    ])
    expect((await client.post(other.url, { domain: newName() })).statusCode).toBe(201)
    await world.app.db
      .deleteFrom('pages_domains')
      .where('project_id', '=', full.project.id)
      .execute()
  })

  it('are found with dots as they are and escaped, in any case', async () => {
    const { url } = await newPlace()
    const domain = 'Www.Json.Example.COM'
    await world.as('maintainer').post(url, { domain })
    for (const name of [domain, domain.toLowerCase(), domain.replaceAll('.', '%2E')]) {
      const answer = await world.as('maintainer').get(`${url}/${name}`)
      expect([answer.statusCode, answer.json()]).toEqual([200, record(domain)])
    }
  })

  it('are listed for administrators with the end of their certificates', async () => {
    const { project, url } = await newPlace()
    const [plain, sure, past] = [newName(), newName(), newName()]
    await world.as('maintainer').post(url, { domain: plain })
    await world.as('maintainer').post(url, { domain: sure, ...own })
    await world.as('maintainer').post(url, { domain: past, ...ended })
    const answer = await world.as('admin').get('/pages/domains?per_page=100')
    const rows = answer
      .json()
      .filter((row: { project_id: number }) => row.project_id === project.id)
    const validity = (expired: boolean, { certificate } = own) => {
      const expiration = new X509Certificate(certificate).validToDate.toISOString()
      return {
        certificate: { expired, expiration },
        certificate_expiration: { expired, expiration },
      }
    }
    const project_id = project.id
    expect(rows).toEqual([
      { ...record(plain), project_id },
      { ...record(sure), url: `https://${sure}`, project_id, ...validity(false) },
      { ...record(past), url: `https://${past}`, project_id, ...validity(true, ended) },
    ])
  })

  it('are listed in as many queries whatever there are', async () => {
    const { url } = await newPlace()
    const list = () => world.app.count(() => world.as('maintainer').get(url))
    await world.as('maintainer').post(url, { domain: newName(), ...own })
    await list()
    const few = await list()
    for (let more = 0; more < 3; more++) {
      await world.as('maintainer').post(url, { domain: newName(), ...own })
    }
    expect((await list()).queries).toBeLessThanOrEqual(few.queries)
  })

  it.each([
    ['anonymous', 401],
    ['maintainer', 403],
    ['admin', 200],
  ] as const)('of all sites are listed for %s with %i', async (who, status) => {
    expect((await world.as(who).get('/pages/domains')).statusCode).toBe(status)
  })

  it.each([
    ['anonymous', 401, '401 Unauthorized'],
    ['outsider', 404, '404 Project Not Found'],
    ['guest', 403, '403 Forbidden'],
    ['developer', 403, '403 Forbidden'],
  ] as const)('are kept from %s with %i', async (who, status, message) => {
    const { url } = await newPlace()
    const domain = newName()
    await world.as('maintainer').post(url, { domain })
    const client = world.as(who)
    const answers = [
      await client.get(url),
      await client.get(`${url}/${domain}`),
      await client.post(url, { domain: newName() }),
      await client.put(`${url}/${domain}`, { auto_ssl_enabled: true }),
      await client.put(`${url}/${domain}/verify`),
      await client.delete(`${url}/${domain}`),
    ]
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
    }
  })

  it('take certificates and keys as files of a form', async () => {
    const { url } = await newPlace()
    const domain = newName()
    const form = multipart({
      domain,
      certificate: { filename: 'a.pem', content: Buffer.from(own.certificate) },
      key: { filename: 'a.key', content: Buffer.from(own.key) },
    })
    const answer = await world.as('maintainer').post(url, form.body, form.options)
    expect([answer.statusCode, answer.json()]).toEqual([201, certified(domain)])
  })

  it('keep keys to themselves', async () => {
    const { url } = await newPlace()
    await world.as('maintainer').post(url, { domain: newName(), ...own })
    const rows = await world.app.db.selectFrom('pages_domains').selectAll().execute()
    expect(JSON.stringify([rows, world.app.log])).not.toContain('PRIVATE KEY')
  })

  it('with a certificate that has ended are taken, and say so', async () => {
    const { url } = await newPlace()
    const domain = newName()
    const answer = await world.as('maintainer').post(url, { domain, ...ended })
    expect([answer.statusCode, answer.json()]).toEqual([201, certified(domain, ended, true)])
  })

  const mismatch = { key: ["doesn't match the certificate"] }
  const unreadable = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
  const both = ['must be a valid PEM private key', ...mismatch.key]
  it.each([
    ['nothing', {}, { error: 'domain is missing' }],
    [
      'half a pair',
      { domain: 'x.test', certificate: own.certificate },
      { error: 'certificate, key provide all or none of parameters' },
    ],
    [
      'a blank flag',
      { domain: 'x.test', auto_ssl_enabled: '' },
      { error: 'auto_ssl_enabled is empty' },
    ],
    [
      'an underscore',
      { domain: '_foo.com' },
      { message: { domain: ['contains invalid characters (valid characters: [a-z0-9\\-])'] } },
    ],
    [
      'no name',
      { domain: '' },
      { message: { domain: ['must be between 1 and 255 characters long'] } },
    ],
    [
      'a hyphen at the end',
      { domain: 'a-.test' },
      { message: { domain: ['begins or ends with hyphen'] } },
    ],
    [
      'a long part',
      { domain: `${'a'.repeat(64)}.test` },
      { message: { domain: ['must be between 1 and 63 characters long'] } },
    ],
    [
      'the host of sites',
      { domain: 'Pages.test' },
      { message: { domain: ['*.pages.test is restricted'] } },
    ],
    [
      'a name below it',
      { domain: 'a.pages.test' },
      { message: { domain: ['*.pages.test is restricted'] } },
    ],
    [
      'the host of the server',
      { domain: 'bloomery.test' },
      { message: { domain: ['*.bloomery.test is restricted'] } },
    ],
    [
      "another's key",
      { domain: 'x.test', certificate: own.certificate, key: other.key },
      { message: mismatch },
    ],
    ['a key alone', { domain: 'x.test', certificate: '', key: own.key }, { message: mismatch }],
    [
      'a certificate alone',
      { domain: 'x.test', certificate: own.certificate, key: '' },
      { message: mismatch },
    ],
    [
      'no certificate',
      { domain: 'x.test', certificate: unreadable, key: own.key },
      { message: { certificate: ['must be a valid PEM certificate'], ...mismatch } },
    ],
    [
      'no key',
      { domain: 'x.test', certificate: own.certificate, key: 'x' },
      { message: { key: both } },
    ],
    [
      'a long key',
      { domain: 'x.test', certificate: own.certificate, key: 'x'.repeat(8193) },
      { message: { key: ['Certificate Key is too long. (Max 8192 bytes)', ...mismatch.key] } },
    ],
    [
      'a chain with a gap',
      { domain: 'x.test', ...issued },
      { message: { certificate: ['misses intermediates'] } },
    ],
  ])('are not added with %s', async (_, body, problem) => {
    const { url } = await newPlace()
    const answer = await world.as('maintainer').post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, problem])
  })

  it.each(['123.456.789', '0123123', 'localname'])('may be called %s', async (domain) => {
    const { url } = await newPlace()
    const answer = await world.as('maintainer').post(url, { domain })
    expect([answer.statusCode, answer.json()]).toEqual([201, record(domain)])
  })

  it('are one on the whole instance, whatever the case', async () => {
    const [here, there] = [await newPlace(), await newPlace()]
    const domain = newName()
    await world.as('maintainer').post(here.url, { domain })
    const again = await world.as('maintainer').post(there.url, { domain: domain.toUpperCase() })
    expect([again.statusCode, again.json()]).toEqual([
      400,
      { message: { domain: ['has already been taken'] } },
    ])
  })

  it('change their certificate, keep their key, and lose both when both are empty', async () => {
    const { url } = await newPlace()
    const domain = newName()
    const client = world.as('maintainer')
    await client.post(url, { domain })
    const alone = await client.put(`${url}/${domain}`, { certificate: own.certificate })
    expect([alone.statusCode, alone.json()]).toEqual([400, { message: mismatch }])
    const set = await client.put(`${url}/${domain}`, own)
    expect([set.statusCode, set.json()]).toEqual([200, certified(domain)])
    const same = await client.put(`${url}/${domain}`, { certificate: own.certificate })
    expect([same.statusCode, same.json()]).toEqual([200, certified(domain)])
    const wrong = await client.put(`${url}/${domain}`, { certificate: other.certificate })
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { message: mismatch }])
    const nothing = await client.put(`${url}/${domain}`)
    expect([nothing.statusCode, nothing.json()]).toEqual([200, certified(domain)])
    const removed = await client.put(`${url}/${domain}`, { certificate: '', key: '' })
    expect([removed.statusCode, removed.json()]).toEqual([200, record(domain)])
    const absent = await client.put(`${url}/nowhere.test`, own)
    expect([absent.statusCode, absent.json()]).toEqual([404, missing])
  })
})

describe('Verification', () => {
  const place = (domain: string, brand: string) => `_${brand}-pages-verification-code.${domain}`
  const text = (code: string, brand: string) => `${brand}-pages-verification-code=${code}`

  it.each(['service', 'gitlab'])('takes a record that says %s', async (brand) => {
    const { url } = await newPlace()
    const domain = newName()
    const client = world.as('maintainer')
    const { verification_code } = (await client.post(url, { domain })).json()
    const early = await client.put(`${url}/${domain}/verify`)
    expect([early.statusCode, early.json()]).toEqual([
      400,
      { message: `Couldn't verify ${domain}` },
    ])
    names.texts.set(place(domain, brand), ['v=spf1', text(verification_code, brand)])
    const answer = await client.put(`${url}/${domain}/verify`)
    const enabled_until = new Date(world.app.clock.now().getTime() + 7 * day_ms).toISOString()
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { ...record(domain), verified: true, enabled_until },
    ])
  })

  it('is done by itself, again before it ends, and taken back', async () => {
    const { url } = await newPlace()
    const domain = newName()
    const client = world.as('maintainer')
    const get = async () => (await client.get(`${url}/${domain}`)).json()
    const { verification_code } = (await client.post(url, { domain })).json()
    names.texts.set(domain, [text(verification_code, 'service')])
    await settle()
    expect(await get()).toMatchObject({ verified: true })
    const first = (await get()).enabled_until
    world.app.clock.advance(5 * day_ms)
    await settle()
    const { enabled_until } = await get()
    expect(Date.parse(enabled_until) - Date.parse(first)).toBeGreaterThanOrEqual(5 * day_ms)
    names.texts.delete(domain)
    world.app.clock.advance(5 * day_ms)
    await settle()
    expect(await get()).toMatchObject({ verified: false, enabled_until })
    world.app.clock.advance(5 * day_ms)
    await settle()
    expect(await get()).toMatchObject({ verified: false, enabled_until: null })
    world.app.clock.advance(8 * day_ms)
    await settle()
    expect(await get()).toEqual(missing)
  })

  it('is repeated soon after a failure, and after a success only when its time is nearly over', async () => {
    const { url } = await newPlace()
    const domain = newName()
    const client = world.as('maintainer')
    const get = async () => (await client.get(`${url}/${domain}`)).json()
    const { verification_code } = (await client.post(url, { domain })).json()
    const records = [text(verification_code, 'service')]
    names.texts.set(domain, records)
    await settle()
    const first = await get()
    expect(first.verified).toBe(true)
    world.app.clock.advance(day_ms)
    await settle()
    expect(await get()).toEqual(first)
    names.texts.delete(domain)
    expect((await client.put(`${url}/${domain}/verify`)).statusCode).toBe(400)
    expect(await get()).toEqual({ ...first, verified: false })
    names.texts.set(domain, records)
    await settle()
    expect((await get()).verified).toBe(true)
  })

  it('removes a domain that was not verified for a week', async () => {
    const { url } = await newPlace()
    const domain = newName()
    await world.as('maintainer').post(url, { domain })
    world.app.clock.advance(6 * day_ms)
    await settle()
    expect((await world.as('maintainer').get(`${url}/${domain}`)).statusCode).toBe(200)
    world.app.clock.advance(2 * day_ms)
    await settle()
    expect((await world.as('maintainer').get(`${url}/${domain}`)).statusCode).toBe(404)
  })

  it('is taken as done where the instance does not ask for it', async () => {
    const { url } = await newPlace()
    const domain = newName()
    const set = (isOn: boolean) =>
      world.as('admin').put('/application/settings', { pages_domain_verification_enabled: isOn })
    await world.as('maintainer').post(url, { domain })
    await set(false)
    const answer = await world.as('maintainer').put(`${url}/${domain}/verify`)
    await set(true)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { verified: true }])
  })
})
