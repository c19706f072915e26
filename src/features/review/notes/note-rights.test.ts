import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('Who reads notes', () => {
  it('is asked to sign in on a public project too, and sees none of a hidden one', async () => {
    const openProject = await world.newProject({ group: world.groups.open })
    const shutProject = await world.newProject({ group: world.groups.shut })
    const statuses = async (id: number) => {
      await world.as('developer').post(`/projects/${id}/issues`, { title: 'A thing' })
      const asked = (['anonymous', 'outsider', 'guest'] as const).map(async (who) => {
        const answer = await world.as(who).get(`/projects/${id}/issues/1/notes`)
        return answer.statusCode
      })
      return Promise.all(asked)
    }
    expect(await statuses(openProject.id)).toEqual([401, 200, 200])
    expect(await statuses(shutProject.id)).toEqual([401, 404, 200])
  })
})

describe('Who reads notes of a confidential issue', () => {
  it('is a Reporter, or its author', async () => {
    const project = await world.newProject({ group: world.groups.open, visibility: 'public' })
    const issues = `/projects/${project.id}/issues`
    await world.as('guest').post(issues, { title: 'A thing', confidential: true })
    const made = await world.as('guest').post(`${issues}/1/discussions`, { body: 'Why?' })
    const { id, notes } = made.json()
    const statuses = async (who: Who) => {
      const paths = ['notes', `notes/${notes[0].id}`, 'discussions', `discussions/${id}`]
      const asked = [...paths, `discussions/${id}/notes/${notes[0].id}`].map(async (path) => {
        const answer = await world.as(who).get(`${issues}/1/${path}`)
        return answer.statusCode
      })
      return Promise.all(asked)
    }
    expect(await statuses('outsider')).toEqual([404, 404, 404, 404, 404])
    expect(await statuses('guest')).toEqual([200, 200, 200, 200, 200])
    expect(await statuses('reporter')).toEqual([200, 200, 200, 200, 200])
  })
})

describe('Who reads an internal note', () => {
  it('is a Reporter of its project, an administrator, and its author who no longer is one', async () => {
    const project = await world.newProject({ group: world.groups.open })
    const other = await world.newProject({ group: world.groups.open })
    for (const { id } of [project, other]) {
      await world.as('developer').post(`/projects/${id}/issues`, { title: 'A thing' })
    }
    const author = await newMember(project.id)
    const stranger = await newMember(other.id)
    const notes = `/projects/${project.id}/issues/1/notes`
    const body = `secret of ${other.full_path}#1`
    expect((await author.client.post(notes, { body, internal: true })).statusCode).toBe(201)
    await world.app.worker.drain()
    const member = `/projects/${project.id}/members/${author.user.id}`
    expect((await world.as('owner').put(member, { access_level: 10 })).statusCode).toBe(200)
    const readers = {
      author: author.client,
      reporter: world.as('reporter'),
      admin: world.as('admin'),
      guest: world.as('guest'),
      stranger: stranger.client,
    }
    const readersOf = async (path: string, text: string) => {
      const asked = Object.entries(readers).map(async ([who, client]) =>
        (await client.get(path)).body.includes(text) ? [who] : [],
      )
      return (await Promise.all(asked)).flat()
    }
    const trusted = ['author', 'reporter', 'admin']
    expect(await readersOf(notes, body)).toEqual(trusted)
    expect(await readersOf(`/projects/${project.id}/events`, body)).toEqual(trusted)
    const mention = `mentioned in issue ${project.path}#1`
    expect(await readersOf(`/projects/${other.id}/issues/1/notes`, mention)).toEqual(trusted)
  })
})

describe('Who changes notes', () => {
  it('changes none of an archived project', async () => {
    const project = await world.newProject()
    const issues = `/projects/${project.id}/issues`
    const client = world.as('developer')
    await client.post(issues, { title: 'A thing' })
    const { id } = (await client.post(`${issues}/1/notes`, { body: 'Before' })).json()
    await world.as('owner').post(`/projects/${project.id}/archive`)
    const note = `${issues}/1/notes/${id}`
    expect((await client.put(note, { body: 'After' })).statusCode).toBe(403)
    expect((await client.delete(note)).statusCode).toBe(403)
    expect((await client.get(note)).json().body).toBe('Before')
  })
})

describe('Who resolves a thread', () => {
  const newThread = async (by: { request: Who; note: Who }) => {
    const { url } = await newBranches(world, { options: { group: world.groups.open } })
    await newRequest(world, { url }, { who: by.request })
    const discussions = `${url}/1/discussions`
    const made = await world.as(by.note).post(discussions, { body: 'Why?' })
    return `${discussions}/${made.json().id}`
  }
  const resolve = async (thread: string, who: Who) =>
    (await world.as(who).put(thread, { resolved: true })).statusCode

  it('is a Developer, or has written the note or the merge request', async () => {
    const thread = await newThread({ request: 'maintainer', note: 'reporter' })
    expect(await resolve(thread, 'guest')).toBe(403)
    expect(await resolve(thread, 'outsider')).toBe(403)
    expect(await resolve(thread, 'developer')).toBe(200)
    expect(await resolve(thread, 'reporter')).toBe(200)
  })

  it('may be the author of the merge request whose role has ended', async () => {
    const { project, url } = await newBranches(world, { options: { group: world.groups.open } })
    const { user, client } = await newMember(project.id)
    await client.post(url, { title: 'A', source_branch: 'topic', target_branch: 'main' })
    const made = await world.as('maintainer').post(`${url}/1/discussions`, { body: 'Why?' })
    await world.as('owner').delete(`/projects/${project.id}/members/${user.id}`)
    const thread = `${url}/1/discussions/${made.json().id}`
    expect((await client.put(thread, { resolved: true })).statusCode).toBe(200)
  })
})

/** A user who is a Developer of the project by a membership of their own. */
async function newMember(project_id: number) {
  const { user, client } = await world.newUser()
  const members = `/projects/${project_id}/members`
  await world.as('owner').post(members, { user_id: user.id, access_level: 30 })
  return { user, client }
}
