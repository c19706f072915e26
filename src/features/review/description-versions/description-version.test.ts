import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Kind = 'issues' | 'merge_requests'

/** An issue or merge request whose author is the developer, with that description. */
async function newThing(kind: Kind, { description = 'First' } = {}) {
  if (kind === 'merge_requests') {
    const place = await newBranches(world)
    const { id, iid } = await newRequest(world, place, { description })
    return { id, url: `${place.url}/${iid}` }
  }
  const project = await world.newProject()
  const issues = `/projects/${project.id}/issues`
  const { id } = (
    await world.as('developer').post(issues, { title: 'A thing', description })
  ).json()
  return { id, url: `${issues}/1` }
}

/** Changes the description, and answers where the version is that the newest note tells of. */
async function describeAs(url: string, description: string): Promise<string> {
  const changed = await world.as('developer').put(url, { description })
  expect(changed.statusCode).toBe(200)
  const [note] = (await world.as('developer').get(`${url}/notes`)).json()
  return `${url}/notes/${note.id}/description_version`
}

const notFound = { message: '404 Not found' }

describe.each(['issues', 'merge_requests'] as const)('The description of %s', (kind) => {
  it('has versions below the notes that tell of its changes', async () => {
    const { url } = await newThing(kind)
    const created_at = world.app.clock.now().toISOString()
    const second = await describeAs(url, 'Second')
    const third = await describeAs(url, '')
    const reader = world.as('reporter')
    const read = await reader.get(second)
    expect([read.statusCode, read.json()]).toEqual([
      200,
      {
        id: expect.any(Number),
        created_at,
        description: 'Second',
        previous_description: 'First',
      },
    ])
    expect((await reader.get(third)).json()).toMatchObject({
      description: '',
      previous_description: 'Second',
    })
    const { id } = (await reader.post(`${url}/notes`, { body: 'A comment' })).json()
    const other = await reader.get(`${url}/notes/${id}/description_version`)
    expect([other.statusCode, other.json()]).toEqual([404, notFound])
    const named = await reader.get(`${url}/notes/x/description_version`)
    expect([named.statusCode, named.json()]).toEqual([400, { error: 'note_id is invalid' }])
  })

  it('has versions of tasks that were ticked', async () => {
    const { url } = await newThing(kind, { description: '- [ ] a\n- [ ] b' })
    await describeAs(url, '- [x] a\n- [x] b')
    const notes = (await world.as('developer').get(`${url}/notes?sort=asc`)).json()
    const first = notes.find(({ body }: { body: string }) => body.startsWith('marked the task'))
    const version = await world.as('reporter').get(`${url}/notes/${first.id}/description_version`)
    expect(version.json()).toMatchObject({ description: '- [x] a\n- [x] b' })
  })

  it('has versions that who may edit deletes, which leaves their text nowhere', async () => {
    const { url } = await newThing(kind)
    const second = await describeAs(url, 'A secret')
    const third = await describeAs(url, 'Third')
    for (const [who, status] of [
      ['anonymous', 401],
      ['outsider', 404],
      ['guest', 403],
    ] as const)
      expect([who, (await world.as(who).delete(second)).statusCode]).toEqual([who, status])
    const deleted = await world.as('developer').delete(second)
    expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
    const gone = await world.as('developer').get(second)
    expect([gone.statusCode, gone.json()]).toEqual([404, notFound])
    expect((await world.as('developer').delete(second)).statusCode).toBe(404)
    expect((await world.as('reporter').get(third)).json()).toMatchObject({
      description: 'Third',
      previous_description: 'First',
    })
    const kept = await world.app.db
      .selectFrom('description_versions')
      .select('description')
      .execute()
    expect(kept.map(({ description }) => description)).not.toContain('A secret')
  })

  it('is read with its versions by who is signed in and sees it', async () => {
    const { url } = await newThing(kind)
    const version = await describeAs(url, 'Second')
    const statuses = async () => {
      const asked = (['anonymous', 'outsider', 'guest', 'reporter'] as const).map(
        async (who) => (await world.as(who).get(version)).statusCode,
      )
      return Promise.all(asked)
    }
    expect(await statuses()).toEqual([401, 404, kind === 'issues' ? 200 : 404, 200])
    if (kind === 'merge_requests') return
    await world.as('developer').put(url, { confidential: true })
    expect(await statuses()).toEqual([401, 404, 404, 200])
  })

  it('keeps a bounded number of versions, which go with it', async () => {
    const another = await describeAs((await newThing('issues')).url, 'Kept')
    const { id, url } = await newThing(kind)
    const oldest = await describeAs(url, 'Second')
    const { db, clock } = world.app
    const rows = Array.from({ length: limits.description_versions_max - 2 }, (_, at) => ({
      issuable_id: id,
      description: String(at),
      created_at: clock.now().toISOString(),
    }))
    await db.insertInto('description_versions').values(rows).execute()
    expect((await world.as('developer').get(oldest)).statusCode).toBe(200)
    const newest = await describeAs(url, 'Newest')
    const count = async () => {
      const versions = db.selectFrom('description_versions').where('issuable_id', '=', id)
      return (await versions.select('id').execute()).length
    }
    expect(await count()).toBe(limits.description_versions_max)
    // Nothing is left to compare it with.
    expect((await world.as('developer').get(oldest)).statusCode).toBe(404)
    expect((await world.as('developer').get(newest)).statusCode).toBe(200)
    expect((await world.as('developer').get(another)).statusCode).toBe(200)
    expect((await world.as('owner').delete(url)).statusCode).toBe(204)
    expect(await count()).toBe(0)
  })
})
