import { describe, expect, it } from 'vitest'
import { newWorld, sharedApp } from '../../test/kit/world.ts'
import { anyone } from '../access/rule.ts'
import { type Project, projectLoader } from '../subjects/project.ts'
import { endpoint } from './endpoint.ts'
import { mountEndpoints } from './mount.ts'
import { RateLimiter } from './rate-limit.ts'
import { createServer } from './server.ts'

/** Gets what an operation of the caller's own answers a visitor about a project, and what the log says of it. */
async function askAbout({ id }: { id: number }, run: () => Promise<void>) {
  const { db, git, config, secretKey, clock } = await sharedApp()
  const services = { db, git, config, secretKey, clock: clock.now }
  const log: Record<string, unknown>[] = []
  const logStream = { write: (line: string) => log.push(JSON.parse(line)) }
  const server = createServer({ ...services, logStream })
  const nobody = () => Promise.reject(new Error('Only visitors call.'))
  const authenticator = { byToken: nobody, bySession: nobody, byJobToken: nobody, bySudo: nobody }
  const rateLimiter = new RateLimiter(() => ({}), { ...services, readSet: async () => ({}) })
  const asked = endpoint<Project>({
    route: 'GET /projects/:id',
    summary: 'Run',
    tag: 'Tests',
    on: projectLoader,
    allow: anyone,
    run,
  })
  await server.register(
    async (api) => mountEndpoints(api, [asked], { ...services, authenticator, rateLimiter }),
    { prefix: '/api/v4' },
  )
  const answer = await server.inject(`/api/v4/projects/${id}`)
  await server.close()
  return { status: answer.statusCode, body: answer.json(), log }
}

const fail = async () => {
  throw new Error('The repository was not found.')
}

describe('an operation that fails', () => {
  it('is a fault where what it is about is still there', async () => {
    const world = await newWorld()
    const { status, log } = await askAbout(world.projects.open, fail)
    expect(status).toBe(500)
    expect(log).toContainEqual(expect.objectContaining({ level: 50, msg: 'fault' }))
  })

  it('because the project was deleted meanwhile answers as if it had come later', async () => {
    const world = await newWorld()
    const { id } = world.projects.open
    const { status, body, log } = await askAbout({ id }, async () => {
      const deletion = await world.as('owner').delete(`/projects/${id}`)
      expect(deletion.statusCode).toBe(202)
      await fail()
    })
    expect({ status, body }).toEqual({ status: 404, body: { message: '404 Project Not Found' } })
    expect(log).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: 'deleted during request',
        err: expect.objectContaining({ message: 'The repository was not found.' }),
      }),
    )
  })
})
