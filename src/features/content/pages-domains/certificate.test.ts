import { X509Certificate } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Authority, startAuthority } from '../../../../test/kit/acme.ts'
import { startApp } from '../../../../test/kit/app.ts'
import { newCertificate } from '../../../../test/kit/certificates.ts'
import { atFileEnd } from '../../../../test/kit/file-end.ts'
import { browse, enableDomain } from '../../../../test/kit/sites.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import { certificateTasks } from './certificate.tasks.ts'

const day_ms = 24 * 60 * 60_000
let world: World
let authority: Authority
let tlsPort = 0

beforeAll(async () => {
  authority = await startAuthority()
  const app = await startApp({
    BLOOMERY_PAGES_PORT: '0',
    BLOOMERY_PAGES_TLS_PORT: '0',
    BLOOMERY_ACME_DIRECTORY: authority.directory,
    BLOOMERY_ACME_EMAIL: 'admin@bloomery.test',
  })
  atFileEnd(app.close)
  const ports = await app.listenForPages('127.0.0.1')
  authority.sitePort = ports.port ?? 0
  tlsPort = ports.tlsPort ?? 0
  world = await newWorld(app)
  const from = new X509Certificate(authority.root.certificate).validFromDate.getTime()
  app.clock.advance(from - app.clock.now().getTime() + 60_000)
})
beforeEach(() => {
  authority.days = 90
  authority.issued = []
})

async function newDomain(fields: object) {
  const { id } = await world.newProject()
  const client = world.as('maintainer')
  const domain = `auto-${id}.example.com`
  await client.post(`/projects/${id}/pages/domains`, { domain, ...fields })
  const url = `/projects/${id}/pages/domains/${domain}`
  return { domain, url, client, get: async () => (await client.get(url)).json() }
}

async function renew(): Promise<void> {
  const { db, config, clock, secretKey, worker } = world.app
  for (const { every_ms, run } of certificateTasks) {
    const uses = { db, config, secretKey, clock: clock.now }
    if (every_ms !== undefined) await run(uses, { domain_id: 0 })
  }
  await worker.drain()
}

async function withoutVerification<T>(run: () => Promise<T>): Promise<T> {
  const set = (isOn: boolean) =>
    world.as('admin').put('/application/settings', { pages_domain_verification_enabled: isOn })
  await set(false)
  try {
    return await run()
  } finally {
    await set(true)
  }
}

/** As many domains at the end of their certificates as are renewed at once. */
async function insertEnding(fields: { auto_ssl_enabled: boolean; auto_ssl_failed: boolean }) {
  const { id: project_id } = await world.newProject()
  const times = Object.fromEntries(
    ['not_after', 'created_at', 'updated_at'].map((name) => [name, '2026-01-01T00:00:00.000Z']),
  ) as Record<'not_after' | 'created_at' | 'updated_at', string>
  const row = { ...fields, ...times, project_id, verification_code: '' }
  const rows = Array.from({ length: limits.pages.renewed_max }, (_, at) => ({
    ...row,
    certificate_source: 'automatic' as const,
    domain: `ending-${project_id}-${at}.example.com`,
  }))
  await world.app.db.insertInto('pages_domains').values(rows).execute()
}

const errorOf = (domain: string) =>
  world.app.db
    .selectFrom('pages_domains')
    .select(['auto_ssl_failed', 'auto_ssl_error'])
    .where('domain', '=', domain)
    .executeTakeFirst()

describe('An automatic certificate', () => {
  it('is issued once the domain is verified, and shown to browsers', async () => {
    const { domain, get } = await newDomain({ auto_ssl_enabled: true })
    await world.app.worker.drain()
    expect(authority.issued).toEqual([])
    await withoutVerification(async () => {
      await renew()
      expect(authority.issued).toEqual([domain])
    })
    expect(await get()).toMatchObject({
      url: `https://${domain}`,
      auto_ssl_enabled: true,
      certificate: { expired: false, certificate_text: expect.stringContaining(`DNS:${domain}`) },
    })
    const { db } = world.app
    expect(await db.selectFrom('pages_challenges').selectAll().execute()).toEqual([])
    const [account] = await db.selectFrom('acme_accounts').selectAll().execute()
    expect(account?.key).not.toContain('PRIVATE')
    await withoutVerification(async () => {
      const shown = await browse(`https://${domain}/`, { port: tlsPort })
      expect(shown.status).toBe(404)
    })
  })

  it('is renewed by the same account before it ends, and not sooner', async () => {
    const { domain } = await newDomain({ auto_ssl_enabled: true })
    await withoutVerification(async () => {
      await renew()
      world.app.clock.advance(50 * day_ms)
      await renew()
      expect(authority.issued.filter((name) => name === domain)).toEqual([domain])
      world.app.clock.advance(15 * day_ms)
      // However many there are that are not to be asked for.
      await insertEnding({ auto_ssl_enabled: false, auto_ssl_failed: false })
      await insertEnding({ auto_ssl_enabled: true, auto_ssl_failed: true })
      await renew()
      expect(authority.issued.filter((name) => name === domain)).toEqual([domain, domain])
    })
    world.app.clock.advance(65 * day_ms)
    await enableDomain(world, domain, day_ms)
    await insertEnding({ auto_ssl_enabled: true, auto_ssl_failed: false })
    await renew()
    expect(authority.issued.filter((name) => name === domain)).toHaveLength(3)
    const ending = world.app.db.deleteFrom('pages_domains').where('domain', 'like', 'ending-%')
    await ending.execute()
    expect(authority.accounts.length).toBe(1)
  })

  it("takes the place of its owner's where they ask for it, and only then", async () => {
    const own = newCertificate()
    const { domain, client, url, get } = await newDomain(own)
    await withoutVerification(async () => {
      await renew()
      expect((await get()).certificate.certificate).toBe(own.certificate)
      await client.put(url, { auto_ssl_enabled: true })
      await world.app.worker.drain()
      expect(authority.issued).toContain(domain)
    })
    expect((await get()).certificate.certificate).not.toBe(own.certificate)
  })

  it("takes the place of its owner's as soon as the domain may be served", async () => {
    const { domain } = await newDomain({ ...newCertificate(), auto_ssl_enabled: true })
    await renew()
    expect(authority.issued).not.toContain(domain)
    await withoutVerification(renew)
    expect(authority.issued).toContain(domain)
  })

  it('that is refused is not asked for again until its owner says so', async () => {
    const { domain, client, url } = await newDomain({ auto_ssl_enabled: true })
    await withoutVerification(async () => {
      authority.refusals.set(domain, 'Not for this name')
      await renew()
      expect(await errorOf(domain)).toMatchObject({
        auto_ssl_failed: true,
        auto_ssl_error: expect.stringContaining('Not for this name'),
      })
      await renew()
      expect(authority.issued).not.toContain(domain)
      authority.refusals.delete(domain)
      await client.put(url, { auto_ssl_enabled: true })
      await world.app.worker.drain()
      expect(authority.issued).toContain(domain)
    })
  })

  it('is refused where the domain is served elsewhere', async () => {
    const { domain } = await newDomain({ auto_ssl_enabled: true })
    const { sitePort } = authority
    authority.sitePort = Number(new URL(authority.directory).port)
    await withoutVerification(renew)
    authority.sitePort = sitePort
    expect(await errorOf(domain)).toMatchObject({
      auto_ssl_failed: true,
      auto_ssl_error: expect.stringContaining('The domain gave another answer'),
    })
  })

  it('is issued with an account of its own for each authority', async () => {
    const { db } = world.app
    await newDomain({ auto_ssl_enabled: true })
    await withoutVerification(renew)
    const before = authority.accounts.length
    // As the settings of the server named another authority until now.
    await db.updateTable('acme_accounts').set({ directory: 'https://acme.test/' }).execute()
    const { domain } = await newDomain({ auto_ssl_enabled: true })
    await withoutVerification(renew)
    expect(authority.issued).toContain(domain)
    expect(authority.accounts).toHaveLength(before + 1)
  })
})

describe('The answer to an authority', () => {
  it('is given at its own domain by its own token, for an hour', async () => {
    const { db, clock } = world.app
    const [one, two] = [
      await newDomain({ auto_ssl_enabled: true }),
      await newDomain({ auto_ssl_enabled: true }),
    ]
    for (const { domain } of [one, two]) {
      const { id } = await db
        .selectFrom('pages_domains')
        .select('id')
        .where('domain', '=', domain)
        .executeTakeFirstOrThrow()
      const created_at = clock.now().toISOString()
      const challenge = { token: `of-${domain}`, domain_id: id, answer: `for ${domain}` }
      await db
        .insertInto('pages_challenges')
        .values({ ...challenge, created_at })
        .execute()
    }
    const answerAt = async (domain: string, token: string) => {
      const address = `http://${domain}/.well-known/acme-challenge/${token}`
      const { status, text } = await browse(address, { port: authority.sitePort })
      return status === 200 ? text : status
    }
    expect(await answerAt(one.domain, `of-${one.domain}`)).toBe(`for ${one.domain}`)
    expect(await answerAt(two.domain, `of-${one.domain}`)).toBe(404)
    // Certificates of other domains are issued meanwhile.
    await withoutVerification(renew)
    expect(authority.issued).toContain(one.domain)
    expect(await answerAt(two.domain, `of-${two.domain}`)).toBe(`for ${two.domain}`)
    clock.advance(61 * 60_000)
    await renew()
    expect(await answerAt(two.domain, `of-${two.domain}`)).toBe(404)
  })
})
