import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const ask = (who: Who, q: string) =>
  world.as(who).get(`/search/quick?${new URLSearchParams({ q })}`)
type Hit = { type: string; id: number; path: string }
const hitsOf = async (who: Who, q: string) => (await ask(who, q)).json() as Hit[]
const idsOf = async (who: Who, q: string, type: string) =>
  (await hitsOf(who, q)).filter((hit) => hit.type === type).map(({ id }) => id)

/** A project of that name in a new group, of the visibility of both. */
async function named(path: string, visibility: 'public' | 'internal' | 'private' = 'public') {
  const group = await world.newGroup({ visibility })
  const project = await world.newProject({ group, visibility })
  const renamed = await world.as('admin').put(`/projects/${project.id}`, { name: path, path })
  expect(renamed.statusCode).toBe(200)
  return { id: project.id, group, full_path: `${group.full_path}/${path}` }
}

describe('GET /search/quick', () => {
  it('answers whole records of every kind', async () => {
    const { url: requests, project } = await newBranches(world)
    const word = `quench${project.id}`
    const admin = world.as('admin')
    await admin.put(`/projects/${project.id}`, { name: word, path: word })
    const group = await admin.post('/groups', { name: `${word} smiths`, path: `${word}-group` })
    const { user } = await world.newUser({ name: `${word} Smith` })
    const owner = world.as('owner')
    const url = `/projects/${project.id}`
    const issue = (await owner.post(`${url}/issues`, { title: `Why ${word}?` })).json()
    const request = await newRequest(world, { url: requests }, { who: 'owner' })
    await owner.put(`${url}/merge_requests/${request.iid}`, { title: `Now ${word}` })
    const base = 'http://bloomery.test'
    const above = project.full_path.slice(0, project.full_path.lastIndexOf('/'))
    const path = `${above}/${word}`
    const none = { iid: null, project_id: null, avatar_url: null }
    const answer = await ask('owner', word.toUpperCase())
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      [
        { ...none, type: 'project', id: project.id, name: word, path, web_url: `${base}/${path}` },
        {
          ...none,
          type: 'user',
          id: user.id,
          name: `${word} Smith`,
          path: user.username,
          web_url: `${base}/${user.username}`,
        },
        {
          type: 'issue',
          id: issue.id,
          iid: issue.iid,
          project_id: project.id,
          name: `Why ${word}?`,
          path: `${path}#${issue.iid}`,
          avatar_url: null,
          web_url: `${base}/${path}/-/issues/${issue.iid}`,
        },
        {
          type: 'merge_request',
          id: request.id,
          iid: request.iid,
          project_id: project.id,
          name: `Now ${word}`,
          path: `${path}!${request.iid}`,
          avatar_url: null,
          web_url: `${base}/${path}/-/merge_requests/${request.iid}`,
        },
      ],
    ])
    const { id, name, full_path } = group.json()
    const seen = (await ask('admin', word)).json()
    expect(seen).toContainEqual({
      ...{ ...none, type: 'group', id, name, path: full_path },
      web_url: `${base}/groups/${full_path}`,
    })
    await owner.put(`${url}/issues/${issue.iid}`, { state_event: 'close' })
    expect(await idsOf('owner', word, 'issue')).toEqual([])
  })

  it('shows each caller what they see', async () => {
    const word = `hush${world.projects.open.id}`
    const open = await named(`${word}-open`, 'public')
    const internal = await named(`${word}-internal`, 'internal')
    const shut = await named(`${word}-shut`, 'private')
    const member = { user_id: world.users.guest.id, access_level: 10 }
    await world.as('admin').post(`/projects/${shut.id}/members`, member)
    const sorted = async (who: Who, q = word) =>
      (await idsOf(who, q, 'project')).toSorted((a, b) => a - b)
    for (const q of [word, word.slice(1)]) {
      expect(await sorted('anonymous', q)).toEqual([open.id])
      expect(await sorted('outsider', q)).toEqual([open.id, internal.id])
      expect(await sorted('guest', q)).toEqual([open.id, internal.id, shut.id])
      expect(await sorted('admin', q)).toEqual([open.id, internal.id, shut.id])
    }
    expect(await idsOf('guest', shut.group.path, 'group')).toEqual([shut.group.id])
    expect(await idsOf('outsider', shut.group.path, 'group')).toEqual([])
    expect(await idsOf('admin', shut.group.path, 'group')).toEqual([shut.group.id])
    const { username, id } = world.users.outsider
    expect(await idsOf('guest', `@${username}`, 'user')).toEqual([id])
    expect(await idsOf('anonymous', username, 'user')).toEqual([])
  })

  it('has of issues those of the caller alone', async () => {
    const { id } = world.projects.shut
    const title = `Temper${id} it`
    const made = await world.as('reporter').post(`/projects/${id}/issues`, { title })
    const { iid, id: issue_id } = made.json()
    expect(await idsOf('reporter', title, 'issue')).toEqual([issue_id])
    expect(await idsOf('developer', title, 'issue')).toEqual([])
    const assignee = { assignee_ids: [world.users.developer.id] }
    await world.as('reporter').put(`/projects/${id}/issues/${iid}`, assignee)
    expect(await idsOf('developer', title, 'issue')).toEqual([issue_id])
    expect(await idsOf('developer', `#${iid}`, 'issue')).toContain(issue_id)
    expect(await idsOf('developer', `!${iid}`, 'issue')).not.toContain(issue_id)
    await world.as('admin').delete(`/projects/${id}/members/${world.users.developer.id}`)
    const level = { user_id: world.users.developer.id, access_level: 30 }
    const group = `/groups/${world.projects.shut.namespace_id}/members`
    await world.as('admin').delete(`${group}/${world.users.developer.id}`)
    expect(await idsOf('developer', title, 'issue')).toEqual([])
    await world.as('admin').post(group, level)
  })

  it('puts whole names first, then beginnings, then parts, and ends at twelve', async () => {
    const word = `bloom${world.projects.open.id}`
    const part = await named(`a-${word}`)
    const begun = await named(`${word}-b`)
    const whole = await named(word)
    expect(await idsOf('outsider', word, 'project')).toEqual([whole.id, begun.id, part.id])
    for (let number = 0; number < 12; number++) await named(`${word}-c${number}`)
    const twelve = await hitsOf('outsider', word)
    expect([twelve.length, twelve[0]?.id]).toEqual([12, whole.id])
    expect(twelve.map(({ id }) => id)).not.toContain(part.id)
  })

  it('looks by one or two characters for how names begin', async () => {
    const first = await named(`q_${world.projects.open.id}`)
    await named(`qx-q_${world.projects.open.id}`)
    expect(await idsOf('outsider', 'q_', 'project')).toEqual([first.id])
    expect(await idsOf('outsider', 'q%', 'project')).toEqual([])
    expect(await idsOf('outsider', '"*', 'project')).toEqual([])
  })

  it.each([
    ['', { error: 'q is empty' }],
    [' ', { error: 'q is empty' }],
    [
      'x'.repeat(256),
      { message: '400 Bad request - Search query is too long (maximum is 255 characters)' },
    ],
  ])('refuses %j', async (q, answer) => {
    const refused = await ask('owner', q)
    expect([refused.statusCode, refused.json()]).toEqual([400, answer])
  })

  it('takes as many queries, however many it finds', async () => {
    const word = `anneal${world.projects.open.id}`
    await named(`${word}-a`)
    const find = () => ask('owner', word)
    await find()
    const one = await world.app.count(find)
    for (const letter of ['b', 'c', 'd']) await named(`${word}-${letter}`)
    expect((await find()).json()).toHaveLength(4)
    expect(await world.app.count(find)).toEqual(one)
    expect(one.queries).toBeLessThanOrEqual(10)
  })
})
