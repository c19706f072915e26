// Whatever wants a repository of another server has changed nothing by then: it runs again with a copy, or goes on to that
// server. Each operation that opens its own transactions is asked once on a server that has no disk, as if another server had
// sent it there: whatever it reads is a copy, and whatever it would change is elsewhere.
import { expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test/kit/app.ts'
import { askExample, nameOf } from '../../test/kit/every-example.ts'
import { forgetKept } from '../../test/kit/examples.ts'
import { newWorld } from '../../test/kit/world.ts'
import { anyone } from '../access/rule.ts'
import { endpoints } from '../features/families.ts'
import { factsHeader, signFacts } from '../forwarding/signed-facts.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import { type Project, projectLoader } from '../subjects/project.ts'
import { endpoint } from './endpoint.ts'
import type { RequestForwarder } from './forwarding.ts'
import { mountEndpoints } from './mount.ts'
import { RateLimiter } from './rate-limit.ts'
import { createServer } from './server.ts'

/** Sends the requests of tests to a server without a disk. */
async function startWithoutDisk(): Promise<TestApp> {
  const before = process.env.TEST_FORWARDED
  process.env.TEST_FORWARDED = 'yes'
  try {
    return await startApp()
  } finally {
    if (before === undefined) delete process.env.TEST_FORWARDED
    else process.env.TEST_FORWARDED = before
  }
}

/** Has every request look as if another server had sent it on. */
function signRequests({ server, secretKey, clock }: TestApp): void {
  const inject = server.inject.bind(server) as (options: object) => unknown
  const send = (options: { method: string; url: string; headers: object }) => {
    const { method, url, headers } = options
    const address = { ip: '127.0.0.1', protocol: 'http', host: 'bloomery.test' }
    const facts = { id: crypto.randomUUID(), ...address, hops: 1, isCounted: true }
    const header = signFacts({ secretKey, clock: clock.now }, { method, url, facts })
    return inject({ ...options, headers: { ...headers, [factsHeader]: header } })
  }
  Object.assign(server, { inject: send })
}

/** Asks an operation that stars a project and then wants a repository elsewhere; returns the status and what is logged. */
async function starAndWant(transaction?: 'none') {
  const { projects, users, app } = await newWorld()
  const { db, git, config, secretKey, clock } = app
  const services = { db, git, config, secretKey, clock: clock.now }
  const lines: string[] = []
  const server = createServer({ ...services, logStream: { write: (line) => lines.push(line) } })
  const nobody = () => Promise.reject(new Error('Only visitors call.'))
  const authenticator = { byToken: nobody, bySession: nobody, byJobToken: nobody, bySudo: nobody }
  const rateLimiter = new RateLimiter(() => ({}), { ...services, readSet: async () => ({}) })
  const asked = endpoint<Project>({
    route: 'POST /projects/:id',
    summary: 'Star and want',
    tag: 'Tests',
    signIn: 'never',
    on: projectLoader,
    allow: anyone,
    ...(transaction && { transaction }),
    async run({ db: own, subject: { id: project_id } }) {
      const starred_since = clock.now().toISOString()
      const row = { user_id: users.guest.id, project_id, starred_since }
      await own.insertInto('project_stars').values(row).execute()
      throw new RepositoryElsewhereError({ storage: 'elsewhere' })
    },
  })
  const forwarder: RequestForwarder = {
    forwardByAddress: async () => false,
    async forwardToStorage(_request, reply) {
      await reply.code(202).send()
      return true
    },
    runWithMirrors: (task) => task(),
  }
  await server.register(
    async (api) =>
      mountEndpoints(api, [asked], { ...services, authenticator, rateLimiter, forwarder }),
    { prefix: '/api/v4' },
  )
  const answer = await server.inject({
    method: 'POST',
    url: `/api/v4/projects/${projects.open.id}`,
  })
  await server.close()
  const faults = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
  return { status: answer.statusCode, faults }
}

// SQLite's file has one server.
if (process.env.TEST_DB === 'postgres') {
  it('an operation that has changed something and wants a repository elsewhere is a fault', async () => {
    const { status, faults } = await starAndWant('none')
    expect(status).toBe(500)
    expect(faults).toMatchObject([
      {
        msg: 'fault',
        err: {
          message: expect.stringMatching(
            /^POST \/projects\/:id changed the database before it wanted a repository elsewhere\./,
          ),
        },
      },
    ])
  })

  it('an operation whose change is rolled back goes on to the other server', async () => {
    expect(await starAndWant()).toEqual({ status: 202, faults: [] })
  })

  it('no operation changes anything before it wants a repository elsewhere', {
    timeout: 600_000,
  }, async () => {
    const app = await startWithoutDisk()
    try {
      signRequests(app)
      const world = await newWorld(app)
      const asked = endpoints.filter(({ method, transaction }) => method !== 'GET' && !transaction)
      const faults: unknown[] = []
      let done = 0
      for (const endpoint of asked) {
        const name = nameOf(endpoint)
        const before = app.log.length
        const ask = await askExample(world, endpoint, 'admin').catch((error) => {
          faults.push([name, 'example', String(error)])
        })
        const status = await ask?.()
        if (status !== undefined && status < 300) done++
        forgetKept(world)
        const lines = app.log.slice(before).filter(({ level }) => Number(level) >= 50)
        for (const { err } of lines) faults.push([name, (err as Error | undefined)?.message])
      }
      expect(faults).toEqual([])
      expect(done).toBeGreaterThan(80)
    } finally {
      await app.close()
    }
  })
} else {
  it('is a question for PostgreSQL alone', () => expect(process.env.TEST_DB).not.toBe('postgres'))
}
