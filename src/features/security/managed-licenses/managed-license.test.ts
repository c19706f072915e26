import { beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const mit = { name: 'MIT License', approval_status: 'allowed' }
const apache = { name: 'Apache 2.0', approval_status: 'denied' }

async function newLicenses(...bodies: object[]) {
  const project = await world.newProject()
  const url = `/projects/${project.id}/managed_licenses`
  const ids: number[] = []
  for (const body of bodies) {
    ids.push((await world.as('maintainer').post(url, body)).json().id)
  }
  return { url, ids, get: (path = '') => world.as('reporter').get(`${url}${path}`) }
}

describe('Managed licences', () => {
  it('are added, shown by id and by name, listed, changed and removed', async () => {
    const { url, get } = await newLicenses()
    const maintainer = world.as('maintainer')
    const made = await maintainer.post(url, mit)
    expect(made.statusCode).toBe(201)
    const { id } = made.json()
    expect(made.json()).toEqual({ id: expect.any(Number), ...mit })
    const other = (await maintainer.post(url, apache)).json()
    expect((await get(`/${id}`)).json()).toEqual({ id, ...mit })
    expect((await get('/MIT%20License')).json()).toEqual({ id, ...mit })
    expect((await get('/Apache%202%2E0')).json()).toEqual(other)

    const listed = await get('?per_page=1&page=2')
    expect(listed.json()).toEqual([other])
    expect(listed.headers).toMatchObject({ 'x-total': '2', 'x-page': '2', 'x-per-page': '1' })

    const changed = await maintainer.patch(`${url}/MIT%20License`, { approval_status: 'denied' })
    expect(changed.statusCode).toBe(200)
    expect(changed.json()).toEqual({ id, name: 'MIT License', approval_status: 'denied' })
    const removed = await maintainer.delete(`${url}/${id}`)
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    expect((await get()).json()).toEqual([other])
  })

  it('keep their name whatever a change says', async () => {
    const { url, ids } = await newLicenses(mit)
    const body = { name: 'Other', approval_status: 'denied' }
    const changed = await world.as('maintainer').patch(`${url}/${ids[0]}`, body)
    expect(changed.json()).toEqual({ ...mit, id: ids[0], approval_status: 'denied' })
  })

  it.each([
    ['approved', 'allowed'],
    ['blacklisted', 'denied'],
    ['allowed', 'allowed'],
    ['denied', 'denied'],
  ])('take %s and say %s', async (approval_status, told) => {
    const { url } = await newLicenses()
    const made = await world.as('maintainer').post(url, { name: 'X', approval_status })
    expect(made.json().approval_status).toBe(told)
    const path = `${url}/${made.json().id}`
    const changed = await world.as('maintainer').patch(path, { approval_status })
    expect(changed.json().approval_status).toBe(told)
  })

  it.each([
    [{}, { error: 'name is missing, approval_status is missing' }],
    [{ name: 'X' }, { error: 'approval_status is missing' }],
    [
      { name: 'X', approval_status: 'yes' },
      { error: 'approval_status does not have a valid value' },
    ],
    [{ ...mit, name: ' ' }, { message: { name: ["can't be blank"] } }],
    [
      { ...mit, name: 'x'.repeat(256) },
      { message: { name: ['is too long (maximum is 255 characters)'] } },
    ],
    [{ ...mit, approval_status: 'denied' }, { message: { name: ['has already been taken'] } }],
  ])('refuse %j', async (body, problem) => {
    const { url, get } = await newLicenses(mit)
    const answer = await world.as('maintainer').post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, problem])
    expect((await get()).json()).toMatchObject([mit])
  })

  it('of one spelling are there once, of two spellings twice', async () => {
    const { get } = await newLicenses(mit, { ...mit, name: 'mit license' })
    expect((await get()).json()).toMatchObject([mit, { name: 'mit license' }])
  })

  it('are looked for by id before they are by name', async () => {
    const { ids, get, url } = await newLicenses(mit)
    const named = { name: String(ids[0]), approval_status: 'denied' }
    const { id } = (await world.as('maintainer').post(url, named)).json()
    expect((await get(`/${ids[0]}`)).json().name).toBe('MIT License')
    expect((await get(`/${id}`)).json().name).toBe(String(ids[0]))
  })

  it('named by digits that are no id are found', async () => {
    const { get, ids } = await newLicenses({ ...mit, name: '0' })
    expect((await get('/0')).json().id).toBe(ids[0])
  })

  it.each(['get', 'patch', 'delete'] as const)('that are not there have no %s', async (method) => {
    const { url } = await newLicenses(mit)
    const { ids } = await newLicenses(mit)
    const body = method === 'patch' ? { approval_status: 'denied' } : undefined
    for (const name of ['MIT', 'mit%20license', ids[0], '99999999999999999999']) {
      const client = world.as('maintainer')
      const path = `${url}/${name}`
      const answer = method === 'get' ? await client.get(path) : await client[method](path, body)
      const told = { message: '404 SoftwareLicensePolicy Not Found' }
      expect([answer.statusCode, answer.json()]).toEqual([404, told])
    }
  })

  it('are a thousand of a project at the most', async () => {
    const [full, other] = [await newLicenses(), await newLicenses()]
    const project_id = Number(/\d+/.exec(full.url)?.[0])
    const now = '2026-03-01T12:00:00.000Z'
    const row = {
      project_id,
      approval_status: 'allowed' as const,
      created_at: now,
      updated_at: now,
    }
    const rows = Array.from({ length: 1000 }, (_, at) => ({ ...row, name: `n${at}` }))
    await world.app.db.insertInto('managed_licenses').values(rows).execute()
    const refused = await world.as('maintainer').post(full.url, mit)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: { base: ['Maximum number of managed licenses (1000) exceeded'] } },
    ])
    expect((await world.as('maintainer').post(other.url, mit)).statusCode).toBe(201)
  })

  it.each([
    ['anonymous', 'open', 200, 401],
    ['outsider', 'open', 200, 403],
    ['guest', 'open', 200, 403],
    ['outsider', 'shut', 404, 404],
    ['guest', 'shut', 403, 403],
    ['reporter', 'shut', 200, 403],
    ['developer', 'shut', 200, 403],
    ['maintainer', 'shut', 200, 201],
  ] as const)('of the project %s sees as %s', async (who, place, read, write) => {
    const url = `/projects/${world.projects[place].id}/managed_licenses`
    expect((await world.as(who).get(url)).statusCode).toBe(read)
    const answer = await world.as(who).post(url, { ...mit, name: `By ${who}` })
    expect(answer.statusCode).toBe(write)
  })

  it('do not change in an archived project', async () => {
    const { url, ids, get } = await newLicenses(mit)
    await world.as('owner').post(url.replace('managed_licenses', 'archive'))
    const owner = world.as('owner')
    for (const answer of [
      await owner.post(url, apache),
      await owner.patch(`${url}/${ids[0]}`, { approval_status: 'denied' }),
      await owner.delete(`${url}/${ids[0]}`),
    ]) {
      expect(answer.statusCode).toBe(403)
    }
    expect((await get()).json()).toMatchObject([mit])
  })

  it('are an unknown route below ultimate', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'premium' })
    const answer = await app.client(rootToken).get('/projects/1/managed_licenses')
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: '404 Not Found' }])
    await app.close()
  })

  it('leave a trace in the audit events of their project', async () => {
    const { url, ids } = await newLicenses(mit)
    await world.as('maintainer').delete(`${url}/${ids[0]}`)
    const events = await world.as('owner').get(`${url.replace('managed_licenses', 'audit_events')}`)
    expect(events.json()).toMatchObject([
      { details: { target_details: 'MIT License' }, event_name: 'license_policy_removed' },
      { details: { target_details: 'MIT License' }, event_name: 'license_policy_added' },
    ])
  })
})
