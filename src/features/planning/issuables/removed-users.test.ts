import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** Somebody who has made an issue, and said, awarded and spent something on one of others. */
async function busyUser() {
  const { user, client } = await world.newUser()
  const project = await world.newProject({ files: { a: 'a' } })
  const member = { user_id: user.id, access_level: 30 }
  await world.as('owner').post(`/projects/${project.id}/members`, member)
  const url = `/projects/${project.id}/issues`
  await client.post(url, { title: 'Theirs' })
  await client.post(url, { title: 'Secret', confidential: true })
  await world.as('owner').post(url, { title: 'Other' })
  await client.post(`${url}/3/notes`, { body: `Said @${world.users.guest.username}` })
  await client.post(`${url}/3/award_emoji`, { name: 'thumbsup' })
  await client.post(`${url}/3/add_spent_time`, { duration: '1h' })
  await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
  const requests = `/projects/${project.id}/merge_requests`
  const body = { title: 'A request', source_branch: 'topic', target_branch: 'main' }
  await client.post(requests, body)
  await world.app.worker.drain()
  return { user, client, project, url, requests }
}

const open = async (id: number) =>
  (await world.as('owner').get(`/projects/${id}`)).json().open_issues_count

describe('What a removed user leaves', () => {
  it('is the ghost’s, and counted as before', async () => {
    const first = await busyUser()
    const second = await busyUser()
    // Both have given the same emoji to one thing.
    const member = { user_id: second.user.id, access_level: 30 }
    await world.as('owner').post(`/projects/${first.project.id}/members`, member)
    await second.client.post(`${first.url}/3/award_emoji`, { name: 'thumbsup' })
    for (const { user } of [first, second]) await world.as('admin').delete(`/users/${user.id}`)
    await world.app.worker.drain()
    const owner = world.as('owner')
    const get = async (path: string) => (await owner.get(path)).json()
    expect(await get(`${first.url}/1`)).toMatchObject({
      title: 'Theirs',
      author: { username: 'ghost' },
    })
    expect(await get(`${first.url}/3`)).toMatchObject({
      user_notes_count: 1,
      upvotes: 1,
      time_stats: { total_time_spent: 3600 },
    })
    const notes = await get(`${first.url}/3/notes?activity_filter=only_comments`)
    expect(notes[0].author.username).toBe('ghost')
    const awards = await get(`${first.url}/3/award_emoji`)
    expect(awards.map(({ user }: { user: { username: string } }) => user.username)).toEqual([
      'ghost',
    ])
    expect((await get(`${first.requests}/1`)).author.username).toBe('ghost')
    expect(await open(first.project.id)).toBe(3)
    const todos = (await world.as('guest').get(`/todos?project_id=${first.project.id}`)).json()
    expect(todos[0].author.username).toBe('ghost')
  })

  it('is nothing that somebody else made, and changes no count of what the ghost has already', async () => {
    const { user, project, url, requests } = await busyUser()
    const owner = world.as('owner')
    const commits = `/projects/${project.id}/repository/commits`
    const { id: sha } = (await owner.get(`${commits}/main`)).json()
    const commit = `${commits}/${sha}`
    const made = [
      await owner.post(`${url}/3/notes`, { body: 'Said too' }),
      await owner.post(`${url}/3/award_emoji`, { name: 'heart' }),
      await owner.post(`${commit}/comments`, { note: 'Read' }),
      await owner.post(`/projects/${project.id}/statuses/${sha}`, { state: 'success' }),
      await owner.put(`${requests}/1/merge`),
    ]
    expect(made.map(({ statusCode }) => statusCode < 300)).toEqual(made.map(() => true))
    await world.as('admin').delete(`/users/${user.id}`)
    await world.app.worker.drain()
    const others = await world.newUser()
    await world.as('admin').delete(`/users/${others.user.id}`)
    await world.app.worker.drain()
    const get = async (path: string) => (await owner.get(path)).json()
    const { username } = world.users.owner
    expect(await get(`${url}/3`)).toMatchObject({ author: { username }, upvotes: 1 })
    const names = async (path: string, of: 'author' | 'user') =>
      (await get(path)).map((one: Record<string, { username: string }>) => one[of]?.username)
    const notes = `${url}/3/notes?activity_filter=only_comments&sort=asc`
    expect(await names(notes, 'author')).toEqual(['ghost', username])
    expect(await names(`${url}/3/award_emoji`, 'user')).toEqual(['ghost', username])
    expect(await names(`${commit}/comments`, 'author')).toEqual([username])
    expect(await names(`${commit}/statuses`, 'author')).toEqual([username])
    expect((await get(`${requests}/1`)).merge_user.username).toBe(username)
  })

  it('goes with them when it is asked for, and is counted no more', async () => {
    const { user, project, url, requests } = await busyUser()
    const owner = world.as('owner')
    await owner.post(url, { title: 'Untouched' })
    await owner.post(`${url}/4/notes`, { body: 'Said' })
    await owner.post(`${url}/4/award_emoji`, { name: 'thumbsup' })
    await owner.post(`${url}/4/add_spent_time`, { duration: '1h' })
    await world.as('admin').delete(`/users/${user.id}?hard_delete=true`)
    await world.app.worker.drain()
    expect((await world.as('admin').get(`/users/${user.id}`)).statusCode).toBe(404)
    expect((await owner.get(`${url}/1`)).statusCode).toBe(404)
    expect((await owner.get(`${requests}/1`)).statusCode).toBe(404)
    expect((await owner.get(`${url}/3`)).json()).toMatchObject({
      user_notes_count: 0,
      upvotes: 0,
      downvotes: 0,
      time_stats: { total_time_spent: 0 },
    })
    expect((await owner.get(`${url}/4`)).json()).toMatchObject({
      user_notes_count: 1,
      upvotes: 1,
      time_stats: { total_time_spent: 3600 },
    })
    const notes = await owner.get(`${url}/4/notes?activity_filter=only_comments`)
    expect(notes.json()).toHaveLength(1)
    expect((await owner.get(`${url}/4/award_emoji`)).json()).toHaveLength(1)
    expect(await open(project.id)).toBe(2)
    const counts = await world.app.db
      .selectFrom('issuable_counts')
      .selectAll()
      .where('project_id', '=', project.id)
      .where('number', '<>', 0)
      .execute()
    expect(counts.map(({ kind, number }) => [kind, number])).toEqual([['issue', 2]])
  })
})
