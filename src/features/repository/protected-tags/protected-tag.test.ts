import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function newPlace() {
  const project = await world.newProject({ files: { a: 'a' } })
  return { project, url: `/projects/${project.id}/protected_tags` }
}

const entry = (access_level: number, access_level_description: string) => ({
  id: expect.any(Number),
  access_level,
  access_level_description,
  user_id: null,
  group_id: null,
})

describe('Protected tags', () => {
  it.each([
    [{}, entry(40, 'Maintainers')],
    [{ create_access_level: 30 }, entry(30, 'Developers + Maintainers')],
    [{ create_access_level: 0 }, entry(0, 'No one')],
  ])('are made with %j, shown, listed and ended', async (levels, shown) => {
    const { url } = await newPlace()
    const client = world.as('maintainer')
    const made = await client.post(url, { name: 'v*', ...levels })
    const record = { name: 'v*', create_access_levels: [shown] }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const one = await client.get(`${url}/v%2A`)
    expect([one.statusCode, one.json()]).toEqual([200, record])
    const list = await client.get(url)
    expect([list.json(), list.headers['x-total']]).toEqual([[record], '1'])
    const again = await client.post(url, { name: 'v*' })
    expect([again.statusCode, again.json()]).toEqual([
      422,
      { message: ['Name has already been taken'] },
    ])
    expect((await client.delete(`${url}/v*`)).statusCode).toBe(204)
    for (const gone of [await client.get(`${url}/v*`), await client.delete(`${url}/v*`)]) {
      expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not found' }])
    }
  })

  it.each([
    [{}, 400, { error: 'name is missing' }],
    [
      { name: 'v', create_access_level: 20 },
      400,
      { error: 'create_access_level does not have a valid value' },
    ],
    [{ name: ' ' }, 422, { message: ["Name can't be blank"] }],
    [
      { name: 'v', allowed_to_create: [{ user_id: 0 }] },
      422,
      { message: ['Create access levels user is not a member of the project'] },
    ],
    [
      { name: 'v', allowed_to_create: [{ user_id: 1, access_level: 30 }] },
      400,
      {
        error: 'allowed_to_create: user_id, group_id, access_level are mutually exclusive',
      },
    ],
  ])('are not made of %j', async (body, status, problem) => {
    const { url } = await newPlace()
    const answer = await world.as('maintainer').post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([status, problem])
  })

  it.each([
    ['anonymous', 401, 404],
    ['outsider', 404, 404],
    ['developer', 403, 403],
  ] as const)('answer %s with %i', async (who, reading, writing) => {
    const { url } = await newPlace()
    await world.as('owner').post(url, { name: 'v*' })
    const client = world.as(who)
    expect((await client.get(url)).statusCode).toBe(reading)
    expect((await client.get(`${url}/v*`)).statusCode).toBe(reading)
    expect((await client.post(url, { name: 'w' })).statusCode).toBe(writing)
    expect((await client.delete(`${url}/v*`)).statusCode).toBe(writing)
  })

  it('are made and removed through the API by those admitted', async () => {
    const { project, url } = await newPlace()
    const tags = `/projects/${project.id}/repository/tags`
    await world.as('owner').post(url, { name: 'v*' })
    const body = { tag_name: 'v1', ref: 'main' }
    const refused = await world.as('developer').post(tags, body)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: 'You are not allowed to create this tag as it is protected.' },
    ])
    const made = await world.as('maintainer').post(tags, body)
    expect([made.statusCode, made.json().protected]).toEqual([201, true])
    const kept = await world.as('developer').delete(`${tags}/v1`)
    expect([kept.statusCode, kept.json()]).toEqual([
      400,
      {
        message:
          'You are not allowed to delete protected tags from this project. Only a project maintainer or owner can delete a protected tag.',
      },
    ])
    expect((await world.as('maintainer').delete(`${tags}/v1`)).statusCode).toBe(204)
    const other = await world.as('developer').post(tags, { tag_name: 'w1', ref: 'main' })
    expect([other.statusCode, other.json().protected]).toEqual([201, false])
  })

  it('admit users and groups, on the paid tiers', async () => {
    const { project, url } = await newPlace()
    const { developer } = world.users
    const made = await world
      .as('owner')
      .post(url, { name: 'v*', allowed_to_create: [{ user_id: developer.id }] })
    expect(made.json().create_access_levels).toEqual([
      {
        id: expect.any(Number),
        access_level: null,
        access_level_description: developer.name,
        user_id: developer.id,
        group_id: null,
      },
    ])
    const tags = `/projects/${project.id}/repository/tags`
    const body = { tag_name: 'v1', ref: 'main' }
    expect((await world.as('maintainer').post(tags, body)).statusCode).toBe(400)
    expect((await world.as('developer').post(tags, body)).statusCode).toBe(201)
  })

  it('admit members of a group, who may push at all', async () => {
    const { project, url } = await newPlace()
    const group = await world.newMemberedGroup()
    const owner = world.as('owner')
    const share = { group_id: group.id, group_access: 30 }
    expect((await owner.post(`/projects/${project.id}/share`, share)).statusCode).toBe(201)
    const members = [await world.newUser(), await world.newUser(), await world.newUser()]
    for (const [at, [inProject, inGroup]] of [
      [30, 30],
      [30, 20],
      [30, 0],
    ].entries()) {
      const user_id = members[at]?.user.id
      const member = { user_id, access_level: inProject }
      await owner.post(`/projects/${project.id}/members`, member)
      if (inGroup)
        await owner.post(`/groups/${group.id}/members`, { user_id, access_level: inGroup })
    }
    const rule = { name: 'v*', allowed_to_create: [{ group_id: group.id }] }
    expect((await owner.post(url, rule)).statusCode).toBe(201)
    const make = async (at: number) => {
      const body = { tag_name: `v${at}`, ref: 'main' }
      return members[at]?.client.post(`/projects/${project.id}/repository/tags`, body)
    }
    const answers = [await make(0), await make(1), await make(2)]
    expect(answers.map((answer) => answer?.statusCode)).toEqual([201, 400, 400])
  })

  it('hold for their project alone; one of several that admits is enough, and administrators need none', async () => {
    const [{ project, url }, other] = [await newPlace(), await newPlace()]
    const owner = world.as('owner')
    await owner.post(url, { name: 'v*', create_access_level: 30 })
    await owner.post(url, { name: 'v1*', create_access_level: 40 })
    await owner.post(url, { name: 'w*', create_access_level: 0 })
    await owner.post(other.url, { name: 'x*', create_access_level: 0 })
    const make = async (who: 'developer' | 'maintainer' | 'admin', tag_name: string) => {
      const body = { tag_name, ref: 'main' }
      return (await world.as(who).post(`/projects/${project.id}/repository/tags`, body)).statusCode
    }
    expect(await make('developer', 'v10')).toBe(201)
    expect(await make('maintainer', 'w1')).toBe(400)
    expect(await make('admin', 'w1')).toBe(201)
    expect(await make('developer', 'x1')).toBe(201)
    const names = async (of: string) =>
      (await owner.get(of)).json().map(({ name }: { name: string }) => name)
    expect(await names(url)).toEqual(['v*', 'v1*', 'w*'])
    expect((await owner.get(`${url}/v1*`)).json().name).toBe('v1*')
    for (const answer of [await owner.get(`${url}/x*`), await owner.delete(`${url}/x*`)])
      expect(answer.statusCode).toBe(404)
    expect((await owner.delete(`${url}/v*`)).statusCode).toBe(204)
    expect(await names(url)).toEqual(['v1*', 'w*'])
    expect(await names(other.url)).toEqual(['x*'])
    expect(await make('developer', 'v11')).toBe(400)
  })

  it('know roles alone on the free tier', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const free = await newWorld(app)
      const made = await free
        .as('owner')
        .post(`/projects/${free.projects.shut.id}/protected_tags`, {
          name: 'v*',
          allowed_to_create: [{ user_id: free.users.developer.id }],
        })
      expect(made.json().create_access_levels).toEqual([
        { id: expect.any(Number), access_level: 40, access_level_description: 'Maintainers' },
      ])
    } finally {
      await app.close()
    }
  })
})
