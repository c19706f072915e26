import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { startReceiver } from '../../../../test/kit/receiver.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const told = (answer: { statusCode: number; body: string; json: () => unknown }) => [
  answer.statusCode,
  answer.body === '' ? '' : answer.json(),
]
const address = 'https://checks.example.com/ask'

async function open() {
  const place = await newBranches(world)
  const checks = `/projects/${place.project.id}/external_status_checks`
  return { ...place, checks, client: world.as('maintainer') }
}

describe('/projects/:id/external_status_checks', () => {
  it('are added, listed, changed and deleted', async () => {
    const { project, checks, client } = await open()
    const made = await client.post(checks, { name: 'QA', external_url: address })
    const check = {
      id: made.json().id,
      name: 'QA',
      project_id: project.id,
      external_url: address,
      hmac: false,
      protected_branches: [],
    }
    expect(told(made)).toEqual([201, check])
    const [rule] = (await client.get(`/projects/${project.id}/protected_branches`)).json()
    const changed = await client.put(`${checks}/${check.id}`, {
      shared_secret: 's3cret',
      protected_branch_ids: [rule.id],
    })
    expect(told(changed)).toEqual([
      200,
      {
        ...check,
        hmac: true,
        protected_branches: [
          {
            id: rule.id,
            project_id: project.id,
            name: 'main',
            created_at: expect.any(String),
            updated_at: expect.any(String),
            code_owner_approval_required: false,
          },
        ],
      },
    ])
    expect(JSON.stringify(changed.json())).not.toContain('s3cret')
    expect(told(await client.get(checks))).toEqual([200, [changed.json()]])
    expect(told(await client.delete(`${checks}/${check.id}`))).toEqual([204, ''])
    expect(told(await client.delete(`${checks}/${check.id}`))).toEqual([
      404,
      { message: '404 Not found' },
    ])
  })

  it('refuse bad input', async () => {
    const { checks, client } = await open()
    const post = async (body: object) => told(await client.post(checks, body))
    expect(await post({})).toEqual([
      400,
      {
        error: 'name is missing, name is empty, external_url is missing, external_url is empty',
      },
    ])
    expect(await post({ name: 'a', external_url: 'ftp://x' })).toEqual([
      422,
      { error: 'Invalid url given' },
    ])
    expect(await post({ name: 'a', external_url: 'http://127.0.0.1/' })).toEqual([
      422,
      { error: 'Invalid url given' },
    ])
    expect(await post({ name: 'a', external_url: address, protected_branch_ids: [1] })).toEqual([
      400,
      { message: { protected_branches: ['all must exist within the project'] } },
    ])
    await post({ name: 'a', external_url: address })
    expect(await post({ name: 'a', external_url: address })).toEqual([
      400,
      { message: { name: ['has already been taken'] } },
    ])
  })

  it.each([
    ['anonymous', 401],
    ['outsider', 404],
    ['developer', 403],
    ['maintainer', 200],
  ] as const)('answer %s of a private project with %i', async (who, status) => {
    const { checks } = await open()
    expect((await world.as(who).get(checks)).statusCode).toBe(status)
    const body = { name: 'a', external_url: address }
    const made = (await world.as(who).post(checks, body)).statusCode
    expect(made).toBe(status === 200 ? 201 : status)
  })

  it('are listed in as many queries whatever their number', async () => {
    const { checks, client } = await open()
    for (const name of ['a', 'b', 'c']) await client.post(checks, { name, external_url: address })
    const ask = (size: number) => world.app.count(() => client.get(`${checks}?per_page=${size}`))
    await ask(1)
    expect((await ask(20)).queries).toBe((await ask(1)).queries)
  })
})

describe('The status checks of a merge request', () => {
  it('are pending until they are answered, for its head and its target alone', async () => {
    const place = await open()
    const { project, checks, client, head } = place
    await client.post(`/projects/${project.id}/protected_branches`, { name: 'release/*' })
    const rules = (await client.get(`/projects/${project.id}/protected_branches`)).json()
    const other = rules.find(({ name }: { name: string }) => name === 'release/*')
    const ids: number[] = []
    for (const [name, protected_branch_ids] of [
      ['All', []],
      ['Releases', [other.id]],
    ] as const) {
      const body = { name, external_url: address, protected_branch_ids }
      ids.push((await client.post(checks, body)).json().id)
    }
    const request = await newRequest(world, place)
    const one = `${place.url}/${request.iid}`
    const list = async (who: 'reporter' | 'guest' = 'reporter') =>
      told(await world.as(who).get(`${one}/status_checks`))
    const shown = { id: ids[0], name: 'All', external_url: address }
    expect(await list()).toEqual([200, [{ ...shown, status: 'pending' }]])
    const answers = `${one}/status_check_responses`
    const answer = { sha: head, external_status_check_id: ids[0] }
    const made = await world.as('developer').post(answers, { ...answer, status: 'failed' })
    expect(told(made)).toEqual([
      201,
      {
        id: expect.any(Number),
        merge_request: expect.objectContaining({ iid: request.iid }),
        external_status_check: {
          ...shown,
          project_id: project.id,
          hmac: false,
          protected_branches: [],
        },
      },
    ])
    expect(await list()).toEqual([200, [{ ...shown, status: 'failed' }]])
    await world.as('developer').post(answers, answer)
    expect(await list()).toEqual([200, [{ ...shown, status: 'passed' }]])
    const stale = await world.as('developer').post(answers, { ...answer, sha: 'a'.repeat(40) })
    expect(told(stale)).toEqual([
      409,
      { message: `SHA does not match HEAD of source branch: ${head}` },
    ])
    const foreign = { ...answer, external_status_check_id: ids[1] }
    expect((await world.as('developer').post(answers, foreign)).statusCode).toBe(404)
    expect((await world.as('reporter').post(answers, answer)).statusCode).toBe(403)
    const wrong = await world.as('developer').post(answers, { ...answer, status: 'maybe' })
    expect(told(wrong)).toEqual([400, { error: 'status does not have a valid value' }])
    await world.commit(project, { more: 'm' }, { branch: 'topic' })
    await world.app.worker.drain()
    expect(await list()).toEqual([200, [{ ...shown, status: 'pending' }]])
  })

  it('bar the merge where the project asks for them', async () => {
    const place = await open()
    const { project, checks, client, head } = place
    const check = (await client.post(checks, { name: 'QA', external_url: address })).json()
    const { iid } = await newRequest(world, place)
    const one = `${place.url}/${iid}`
    await world.app.worker.drain()
    const status = async () => (await client.get(one)).json().detailed_merge_status
    expect(await status()).toBe('mergeable')
    const setting = { only_allow_merge_if_all_status_checks_passed: true }
    expect((await client.put(`/projects/${project.id}`, setting)).json()).toMatchObject(setting)
    expect(await status()).toBe('status_checks_must_pass')
    expect((await client.put(`${one}/merge`)).statusCode).toBe(405)
    const answer = { sha: head, external_status_check_id: check.id }
    await client.post(`${one}/status_check_responses`, { ...answer, status: 'failed' })
    expect((await client.put(`${one}/merge`)).statusCode).toBe(405)
    await client.post(`${one}/status_check_responses`, answer)
    expect(await status()).toBe('mergeable')
    expect((await client.put(`${one}/merge`)).statusCode).toBe(200)
    const other = await open()
    await client.post(other.checks, { name: 'QA', external_url: address })
    const free = await newRequest(world, other)
    expect((await other.client.put(`${other.url}/${free.iid}/merge`)).statusCode).toBe(200)
  })

  it('bar what goes into their branches, until each has passed at the head of the request itself', async () => {
    const place = await open()
    const { project, checks, client, url } = place
    const setting = { only_allow_merge_if_all_status_checks_passed: true }
    await client.put(`/projects/${project.id}`, setting)
    const rules = `/projects/${project.id}/protected_branches`
    const release = (await client.post(rules, { name: 'release' })).json()
    const add = async (name: string, more: object = {}) => {
      const made = await client.post(checks, { name, external_url: `${address}/${name}`, ...more })
      return made.json().id as number
    }
    await add('elsewhere', { protected_branch_ids: [release.id] })
    const ids = [await add('one'), await add('two')]
    await world.commit(project, { other: 'o' }, { branch: 'other', start_branch: 'main' })
    const first = await newRequest(world, place)
    const second = await newRequest(world, place, { source_branch: 'other' })
    await world.app.worker.drain()
    const pass = async ({ iid }: { iid: number }, id: number | undefined, sha: string) => {
      const body = { sha, external_status_check_id: id }
      const answer = await client.post(`${url}/${iid}/status_check_responses`, body)
      expect(answer.statusCode).toBe(201)
    }
    const status = async ({ iid }: { iid: number }) =>
      (await client.get(`${url}/${iid}`)).json().detailed_merge_status
    await pass(first, ids[0], place.head)
    expect(await status(first)).toBe('status_checks_must_pass')
    await pass(first, ids[1], place.head)
    expect(await status(first)).toBe('mergeable')
    expect(await status(second)).toBe('status_checks_must_pass')
    await world.commit(project, { more: 'm' }, { branch: 'topic' })
    await world.app.worker.drain()
    expect(await status(first)).toBe('status_checks_must_pass')
  })

  it('call their services when it changes, signed, and again when they have failed', async () => {
    const receiver = await startReceiver()
    const settings = { allow_local_requests_from_web_hooks_and_services: true }
    await world.as('admin').put('/application/settings', settings)
    try {
      const place = await open()
      const { checks, client, head } = place
      const external_url = `${receiver.url}/ask`
      const body = { name: 'QA', external_url, shared_secret: 's3cret' }
      const { id } = (await client.post(checks, body)).json()
      const { iid } = await newRequest(world, place)
      await world.app.worker.drain()
      const [call] = receiver.received
      expect(call?.body).toMatchObject({
        object_kind: 'merge_request',
        object_attributes: { iid, action: 'open', last_commit: { id: head } },
        external_approval_rule: { id, name: 'QA', external_url },
      })
      const signature = createHmac('sha256', 's3cret')
      expect(call?.headers['x-gitlab-signature']).toBe(
        signature.update(JSON.stringify(call?.body)).digest('hex'),
      )
      const one = `${place.url}/${iid}`
      const retry = `${one}/status_checks/${id}/retry`
      expect(told(await world.as('developer').post(retry))).toEqual([
        422,
        { message: 'External status check must be failed' },
      ])
      const answer = { sha: head, external_status_check_id: id, status: 'failed' }
      await client.post(`${one}/status_check_responses`, answer)
      const before = receiver.received.length
      expect(told(await world.as('developer').post(retry))).toEqual([
        202,
        { message: '202 Accepted' },
      ])
      await world.app.worker.drain()
      expect(receiver.received.length).toBe(before + 1)
      const [shown] = (await client.get(`${one}/status_checks`)).json()
      expect(shown.status).toBe('pending')
      expect((await world.as('reporter').post(retry)).statusCode).toBe(403)
      await client.put(one, { title: 'Renamed' })
      await world.app.worker.drain()
      expect(receiver.received.at(-1)?.body.object_attributes.title).toBe('Renamed')
      const count = receiver.received.length
      await client.put(one, { state_event: 'close' })
      await world.app.worker.drain()
      expect(receiver.received.length).toBe(count)
    } finally {
      const off = { allow_local_requests_from_web_hooks_and_services: false }
      await world.as('admin').put('/application/settings', off)
      await receiver.close()
    }
  })
})
