import { describe, expect, it } from 'vitest'
import { newWorld, sharedApp } from '../../test/kit/world.ts'
import { anyone } from '../access/rule.ts'
import { type Project, projectLoader } from '../subjects/project.ts'
import { type Context, endpoint } from './endpoint.ts'
import { mountEndpoints } from './mount.ts'
import { RateLimiter } from './rate-limit.ts'
import { createServer } from './server.ts'

/** Gets what an operation of the caller's own answers a visitor about a project, and what the log says of it. */
async function askAbout(
  { id }: { id: number },
  run: (context: Context<Project, unknown>) => Promise<void>,
  method: 'GET' | 'POST' = 'GET',
) {
  const { db, git, config, secretKey, clock } = await sharedApp()
  const services = { db, git, config, secretKey, clock: clock.now }
  const lines: string[] = []
  const logStream = { write: (line: string) => lines.push(line) }
  const server = createServer({ ...services, logStream })
  const nobody = () => Promise.reject(new Error('Only visitors call.'))
  const authenticator = { byToken: nobody, bySession: nobody, byJobToken: nobody, bySudo: nobody }
  const rateLimiter = new RateLimiter(() => ({}), { ...services, readSet: async () => ({}) })
  const asked = endpoint<Project>({
    route: `${method} /projects/:id`,
    summary: 'Run',
    tag: 'Tests',
    signIn: 'never',
    on: projectLoader,
    allow: anyone,
    run,
  })
  await server.register(
    async (api) => mountEndpoints(api, [asked], { ...services, authenticator, rateLimiter }),
    { prefix: '/api/v4' },
  )
  const answer = await server.inject({ method, url: `/api/v4/projects/${id}` })
  await server.close()
  const log: Record<string, unknown>[] = lines.map((line) => JSON.parse(line))
  return { status: answer.statusCode, body: answer.body, log, lines }
}

const fail = async () => {
  throw new Error('The repository was not found.')
}

describe('an operation that fails', () => {
  it('is a fault where what it is about is still there', async () => {
    const world = await newWorld()
    const { status, log, lines } = await askAbout(world.projects.open, fail)
    expect(status).toBe(500)
    expect(log).toContainEqual(expect.objectContaining({ level: 50, msg: 'fault' }))
    // Whoever reads JSON strictly refuses a member that stands twice.
    for (const line of lines) expect(line.match(/"request_id":/g)).toHaveLength(1)
  })

  it('because the project was deleted meanwhile answers as if it had come later', async () => {
    const world = await newWorld()
    const { id } = world.projects.open
    const { status, body, log } = await askAbout({ id }, async () => {
      const deletion = await world.as('owner').delete(`/projects/${id}`)
      expect(deletion.statusCode).toBe(202)
      await fail()
    })
    expect([status, body]).toEqual([404, '{"message":"404 Project Not Found"}'])
    expect(log).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: 'deleted during request',
        err: expect.objectContaining({ message: 'The repository was not found.' }),
      }),
    )
  })
})

describe('a write that another one gets in the way of', () => {
  const star = async ({ db, subject }: Context<Project, unknown>, user_id: number) => {
    const row = { user_id, project_id: subject.id, starred_since: new Date(0).toISOString() }
    await db.insertInto('project_stars').values(row).execute()
  }
  const deadlock = async () => {
    throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
  }

  it.each([
    ['two wait for each other', deadlock],
    ['both insert the same row', star],
    ['what it refers to was deleted', (context: Context<Project, unknown>) => star(context, -1)],
    [
      'what it changes was deleted',
      async ({ db }: Context<Project, unknown>) =>
        void (await db
          .updateTable('users')
          .set({ name: '' })
          .where('id', '=', -1)
          .returning('id')
          .executeTakeFirstOrThrow()),
    ],
  ])('runs again when %s', async (_what, fail) => {
    const { projects, users, as } = await newWorld()
    let runs = 0
    const { status } = await askAbout(
      projects.open,
      async (context) => {
        runs++
        // Both runs write this, and the first is rolled back.
        await star(context, users.owner.id)
        if (runs === 1) await fail(context, users.owner.id)
      },
      'POST',
    )
    expect([status, runs]).toEqual([200, 2])
    const { star_count } = (await as('owner').get(`/projects/${projects.open.id}`)).json()
    expect(star_count).toBe(1)
  })

  it('fails when it goes on so', async () => {
    const { projects } = await newWorld()
    let runs = 0
    const again = async () => {
      runs++
      await deadlock()
    }
    const { status } = await askAbout(projects.open, again, 'POST')
    expect([status, runs]).toEqual([500, 3])
  })
})
