import { describe, expect, it } from 'vitest'
import { newWorld } from '../../../../test/kit/world.ts'

// gitlab-runner sends its own tokens, and registration tokens, where others have those of people.
describe('who a runner is', () => {
  it('is told by its own token alone, whatever credentials come beside it', async () => {
    const world = await newWorld()
    const project = await world.newProject()
    const owner = world.as('owner')
    const { runners_token } = (await owner.get(`/projects/${project.id}`)).json()
    const beside = { headers: { 'private-token': runners_token } }
    const registered = await owner.post('/runners', { token: runners_token }, beside)
    expect(registered.statusCode).toBe(201)
    const { token } = registered.json()
    const verified = await owner.post('/runners/verify', { token }, beside)
    expect(verified.statusCode).toBe(200)
    const asked = await owner.post('/jobs/request', { token }, beside)
    expect(asked.statusCode).toBe(204)
    const refused = await owner.post('/runners', { token: 'wrong' }, beside)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({ message: '403 Forbidden - invalid token supplied' })
  })
})
