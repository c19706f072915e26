import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const body = {
  name: 'An application',
  redirect_uri: 'http://localhost:7171/auth/redirect',
  scopes: 'openid profile read_user write_repository api',
}
const hex = expect.stringMatching(/^[0-9a-f]{64}$/)

describe('POST /applications', () => {
  it.each([
    ['anonymous', 401],
    ['owner', 403],
    ['admin', 201],
  ] as const)('answers %s with %i', async (who, status) => {
    expect((await world.as(who).post('/applications', body)).statusCode).toBe(status)
  })

  it('answers the secret once, and stores its digest alone', async () => {
    const made = await world.as('admin').post('/applications', body)
    const id = made.json().id
    expect(made.json()).toEqual({
      id: expect.any(Number),
      application_id: hex,
      application_name: 'An application',
      callback_url: 'http://localhost:7171/auth/redirect',
      confidential: true,
      secret: hex,
    })
    const { secret, ...shown } = made.json()
    const listed = await world.as('admin').get('/applications?per_page=100')
    expect(listed.json().find((one: { id: number }) => one.id === id)).toEqual(shown)
    const stored = await world.app.db.selectFrom('oauth_applications').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(secret)
    const events = await world.app.db.selectFrom('audit_events').selectAll().execute()
    expect(JSON.stringify(events)).not.toContain(secret)
    expect(events.some(({ action }) => action === 'application_created')).toBe(true)
  })

  it('takes scopes as a list, several addresses, and applications without a secret', async () => {
    const redirect_uri = 'https://a.test/x\r\nmyapp://back'
    const given = { ...body, redirect_uri, scopes: ['api', 'openid'], confidential: false }
    const made = await world.as('admin').post('/applications', given)
    expect(made.json()).toMatchObject({
      callback_url: 'https://a.test/x\nmyapp://back',
      confidential: false,
    })
  })

  const addresses = (...problems: string[]) => ({ message: { redirect_uri: problems } })
  it.each([
    [{}, { error: 'name is missing, redirect_uri is missing, scopes is missing, scopes is empty' }],
    [{ ...body, scopes: '' }, { error: 'scopes is empty' }],
    [{ ...body, name: ' ' }, { message: { name: ["can't be blank"] } }],
    [
      { ...body, scopes: 'api nonsense' },
      { message: { scopes: ["doesn't match configured on the server."] } },
    ],
    [{ ...body, redirect_uri: ' ' }, addresses("can't be blank")],
    [{ ...body, redirect_uri: 'back' }, addresses('must be an absolute URI.')],
    [{ ...body, redirect_uri: '/back' }, addresses('must be an absolute URI.')],
    [{ ...body, redirect_uri: 'https:back' }, addresses('must be an absolute URI.')],
    [{ ...body, redirect_uri: 'https://u:p@a.test/' }, addresses('must be an absolute URI.')],
    [{ ...body, redirect_uri: 'javascript:alert(1)' }, addresses('is forbidden by the server.')],
    [{ ...body, redirect_uri: 'data:text/html,x' }, addresses('is forbidden by the server.')],
    [{ ...body, redirect_uri: 'vbscript:x' }, addresses('is forbidden by the server.')],
    [{ ...body, redirect_uri: 'https://a.test/#x' }, addresses('cannot contain a fragment.')],
  ])('refuses %j', async (given, answer) => {
    const made = await world.as('admin').post('/applications', given)
    expect([made.statusCode, made.json()]).toEqual([400, answer])
  })
})

describe('DELETE /applications/:id', () => {
  it('removes one, and answers 404 of another', async () => {
    const made = await world.as('admin').post('/applications', body)
    const path = `/applications/${made.json().id}`
    expect((await world.as('owner').delete(path)).statusCode).toBe(403)
    expect((await world.as('admin').delete(path)).statusCode).toBe(204)
    for (const answer of [
      await world.as('admin').delete(path),
      await world.as('admin').post(`${path}/renew-secret`),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        { message: '404 Application Not Found' },
      ])
    }
  })
})
