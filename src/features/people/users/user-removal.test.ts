import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { multipart, png } from '../../../../test/kit/form.ts'
import { newRequest } from '../../../../test/kit/merge-requests.ts'
import { newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newKeyPair } from '../../../../test/kit/ssh-key.ts'
import { insertVulnerabilities } from '../../../../test/kit/vulnerabilities.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { removeUnlinkedAvatars } from '../../basics/avatars/avatar.tasks.ts'
import { removeProjectTask } from '../../projects/projects/project.tasks.ts'
import { removeUserTask } from './user.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const admin = () => world.as('admin')
const remove = (id: number, query = '') => admin().delete(`/users/${id}${query}`)
const tools = () => ({ ...world.app, clock: world.app.clock.now })
const ghostOf = async () => (await admin().get('/users?username=ghost')).json()[0]

/** Somebody who has commented, reported a status, and has a project, a group with others, a key, a picture. */
async function busyUser() {
  const { user, client } = await world.newUser()
  const project = await world.newProject({ group: world.groups.open, files: { a: 'a' } })
  // Of the project's roles only Maintainers report statuses on its protected branch.
  const member = { user_id: user.id, access_level: 40 }
  await admin().post(`/projects/${project.id}/members`, member)
  const tip = await admin().get(`/projects/${project.id}/repository/commits/main`)
  const commits = `/projects/${project.id}/repository/commits/${tip.json().id}`
  await client.post(`${commits}/comments`, { note: 'Mine' })
  await client.post(`/projects/${project.id}/statuses/${tip.json().id}`, { state: 'success' })
  const own = (await client.post('/projects', { name: 'Own' })).json()
  const group = (
    await client.post('/groups', { name: `G ${user.id}`, path: `group-of-${user.id}` })
  ).json()
  const shared = (await client.post('/projects', { name: 'Shared', namespace_id: group.id })).json()
  await client.post('/user/keys', { title: 'k', key: newKeyPair().public })
  const { body, options } = multipart({ avatar: { filename: 'a.png', content: png() } })
  const { avatar_url } = (await client.put('/user/avatar', body, options)).json()
  return { user, client, project, commits, own, group, shared, avatar_url }
}

/** Columns that name who contributed something. */
const contributionColumns = [
  ['commit_comments', 'author_id'],
  ['projects', 'creator_id'],
  ['pipelines', 'user_id'],
  ['jobs', 'user_id'],
  ['timelogs', 'user_id'],
  ['resource_events', 'user_id'],
  ['issuables', 'author_id'],
  ['issuables', 'closed_by_id'],
  ['issuables', 'updated_by_id'],
  ['issuables', 'last_edited_by_id'],
  ['notes', 'author_id'],
  ['notes', 'resolved_by_id'],
  ['todos', 'author_id'],
  ['releases', 'author_id'],
  ['vulnerabilities', 'author_id'],
  ['merge_requests', 'merge_user_id'],
  ['award_emojis', 'user_id'],
] as const

/** How many rows name the user in each of these columns. */
function countContributions(user_id: number) {
  return Promise.all(
    contributionColumns.map(async ([table, column]) => {
      const { rows } = await sql<{ count: number }>`select count(*) as count
        from ${sql.table(table)} where ${sql.ref(column)} = ${user_id}`.execute(world.app.db)
      return { table, column, count: Number(rows[0]?.count) }
    }),
  )
}

describe('DELETE /users/:id', () => {
  it.each([
    ['anonymous', 401, { message: '401 Unauthorized' }],
    ['owner', 403, { message: '403 Forbidden' }],
  ] as const)('answers %s with %i', async (who, status, body) => {
    const { user } = await world.newUser()
    const answer = await world.as(who).delete(`/users/${user.id}`)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it('answers an unknown user with 404, a changed one with 412', async () => {
    const unknown = await remove(999999)
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json()).toEqual({ message: '404 User Not Found' })
    const { user } = await world.newUser()
    const headers = { 'if-unmodified-since': 'Sat, 28 Feb 2026 12:00:00 GMT' }
    const stale = await admin().delete(`/users/${user.id}`, undefined, { headers })
    expect(stale.statusCode).toBe(412)
    expect(stale.json()).toEqual({ message: '412 Precondition Failed' })
    const bad = await remove(user.id, '?hard_delete=perhaps')
    expect(bad.json()).toEqual({ error: 'hard_delete is invalid' })
    expect((await admin().get(`/users/${user.id}`)).json().state).toBe('active')
  })

  it('is refused for the only owner of a group, until there is another', async () => {
    const { user, group, client } = await busyUser()
    const refused = await remove(user.id)
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toEqual({
      message: 'User cannot be removed while is the sole-owner of a group',
    })
    expect((await client.get('/user')).statusCode).toBe(200)
    const maintainer = { user_id: world.users.maintainer.id, access_level: 40 }
    await admin().post(`/groups/${group.id}/members`, maintainer)
    expect((await remove(user.id)).statusCode).toBe(409)
    const owner = { user_id: world.users.owner.id, access_level: 50 }
    await admin().post(`/groups/${group.id}/members`, owner)
    expect((await remove(user.id)).statusCode).toBe(204)
  })

  it('is no matter of a group they only maintain, nor of one that is being deleted', async () => {
    const { user, client } = await world.newUser()
    const { id } = await world.newGroup()
    await admin().post(`/groups/${id}/members`, { user_id: user.id, access_level: 40 })
    const body = { name: `Own ${user.id}`, path: `own-${user.id}` }
    const own = (await client.post('/groups', body)).json()
    expect((await client.delete(`/groups/${own.id}`)).statusCode).toBe(202)
    expect((await remove(user.id)).statusCode).toBe(204)
  })

  it('is no matter of a group below one that others own', async () => {
    const { user } = await world.newUser()
    const parent = await world.newMemberedGroup()
    const child = await world.newGroup({ parent })
    await admin().post(`/groups/${child.id}/members`, { user_id: user.id, access_level: 50 })
    expect((await remove(user.id)).statusCode).toBe(204)
  })

  it('bars the user at once, removes what is theirs and gives the rest to the ghost', async () => {
    const made = await busyUser()
    const { user, client, project, commits, own, group, shared, avatar_url } = made
    const { db, config } = world.app
    const owner = { user_id: world.users.owner.id, access_level: 50 }
    await admin().post(`/groups/${group.id}/members`, owner)
    const other = await world.newUser()
    const ofOther = (await other.client.post('/projects', { name: 'Theirs' })).json()
    const repository = projectRepository(config, { repository_storage: 'default', id: own.id }).path
    expect(existsSync(repository)).toBe(true)

    const answer = await remove(user.id)
    expect(answer.statusCode).toBe(204)
    expect(answer.body).toBe('')
    expect((await client.get('/user')).json()).toEqual({
      message: '403 Forbidden - Your account has been blocked.',
    })
    expect((await admin().get(`/users/${user.id}`)).json().state).toBe('blocked')
    await world.app.worker.drain()

    expect((await admin().get(`/users/${user.id}`)).statusCode).toBe(404)
    expect((await client.get('/user')).statusCode).toBe(401)
    expect((await admin().get(`/projects/${own.id}`)).statusCode).toBe(404)
    expect((await other.client.get(`/projects/${ofOther.id}`)).statusCode).toBe(200)
    expect(existsSync(repository)).toBe(false)
    expect((await admin().get(`/namespaces/${user.username}`)).statusCode).toBe(404)
    const members = (await admin().get(`/groups/${group.id}/members`)).json()
    expect(members.map(({ id }: { id: number }) => id)).toEqual([world.users.owner.id])
    for (const table of ['namespace_access', 'project_access', 'ssh_keys', 'identities'] as const) {
      const rows = await db
        .selectFrom(table)
        .select('user_id')
        .where('user_id', '=', user.id)
        .execute()
      expect(rows).toEqual([])
    }
    const ghost = await ghostOf()
    expect(ghost).toMatchObject({
      username: 'ghost',
      name: 'Ghost User',
      email: 'ghost@example.com',
      state: 'active',
      confirmed_at: null,
    })
    const [comment] = (await admin().get(`${commits}/comments`)).json()
    expect(comment).toMatchObject({ note: 'Mine', author: { id: ghost.id, username: 'ghost' } })
    const [status] = (await admin().get(`${commits}/statuses`)).json()
    expect(status.author.id).toBe(ghost.id)
    expect((await admin().get(`/projects/${shared.id}`)).json().creator_id).toBe(ghost.id)
    expect((await admin().get(`/projects/${project.id}`)).statusCode).toBe(200)
    const url = avatar_url.replace('http://bloomery.test', '')
    expect((await world.app.server.inject({ url })).statusCode).toBe(404)
    // The name is free again.
    const again = { username: user.username, name: 'n', email: user.email, password: 'long enough' }
    expect((await admin().post('/users', again)).statusCode).toBe(201)
  })

  it('leaves the contributions of everybody else with their authors', async () => {
    const { owner } = world.users
    const client = world.as('owner')
    const project = await newCiProject(world, { build: { script: 'x' } })
    const url = `/projects/${project.id}`
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    await newPipeline(world, project)
    await client.post(`${url}/repository/commits/main/comments`, { note: 'A comment' })
    await client.post(`${url}/releases`, { tag_name: 'v1', ref: 'main' })
    const { iid } = (await client.post(`${url}/issues`, { title: 'An issue' })).json()
    const issue = `${url}/issues/${iid}`
    await client.post(`${issue}/todo`)
    await client.post(`${issue}/add_spent_time`, { duration: '1h' })
    await client.put(issue, { description: 'Described', labels: 'one', state_event: 'close' })
    for (const who of ['owner', 'maintainer'] as const) {
      await world.as(who).post(`${issue}/award_emoji`, { name: 'thumbsup' })
      await world.as(who).post(`${issue}/award_emoji`, { name: 'thumbsdown' })
    }
    // Whose award stays with the ghost.
    const voter = await world.newUser()
    const member = { user_id: voter.user.id, access_level: 30 }
    await client.post(`${url}/members`, member)
    const awardBy = async ({ client }: typeof voter) => {
      for (const name of ['thumbsup', 'heart']) {
        expect((await client.post(`${issue}/award_emoji`, { name })).statusCode).toBe(201)
      }
    }
    await awardBy(voter)
    const next = (await client.post(`${url}/issues`, { title: 'Another issue' })).json()
    const alone = `${url}/issues/${next.iid}`
    await voter.client.post(`${alone}/award_emoji`, { name: 'thumbsup' })
    await remove(voter.user.id)
    const request = await newRequest(world, { url: `${url}/merge_requests` }, { who: 'owner' })
    const changes = `${url}/merge_requests/${request.iid}`
    const thread = (await client.post(`${changes}/discussions`, { body: 'A question' })).json()
    await client.put(`${changes}/discussions/${thread.id}`, { resolved: true })
    await client.put(`${changes}/merge`)
    await insertVulnerabilities(world.app.db, project, [{ author_id: owner.id }])

    await world.app.worker.drain()
    const before = await countContributions(owner.id)
    expect(before.filter(({ count }) => count === 0)).toEqual([])
    const votes = { upvotes: 3, downvotes: 2 }
    expect((await client.get(issue)).json()).toMatchObject(votes)

    const idle = await world.newUser()
    await client.post(`${url}/members`, { ...member, user_id: idle.user.id })
    // The ghost has given each of these once already.
    await awardBy(idle)
    expect((await client.get(issue)).json()).toMatchObject({ ...votes, upvotes: 4 })
    expect((await remove(idle.user.id)).statusCode).toBe(204)
    await world.app.worker.drain()
    expect((await admin().get(`/users/${idle.user.id}`)).statusCode).toBe(404)
    expect(await countContributions(owner.id)).toEqual(before)
    expect((await client.get(issue)).json()).toMatchObject(votes)
    expect((await client.get(alone)).json()).toMatchObject({ upvotes: 1, downvotes: 0 })
  })

  it('takes contributions and solely owned groups along when it is hard', async () => {
    const { user, client, commits, own, group, shared } = await busyUser()
    const parent_id = group.id
    await client.post('/groups', { name: 'Below', path: 'below', parent_id })
    const answer = await remove(user.id, '?hard_delete=true')
    expect(answer.statusCode).toBe(204)
    await world.app.worker.drain()
    expect((await admin().get(`/users/${user.id}`)).statusCode).toBe(404)
    expect((await admin().get(`/groups/${group.id}`)).statusCode).toBe(404)
    expect((await admin().get(`/projects/${shared.id}`)).statusCode).toBe(404)
    expect((await admin().get(`/projects/${own.id}`)).statusCode).toBe(404)
    expect((await admin().get(`${commits}/comments`)).json()).toEqual([])
    const [status] = (await admin().get(`${commits}/statuses`)).json()
    expect(status.author).toBeNull()
    const groups = await world.app.db
      .selectFrom('namespaces')
      .select('id')
      .where('id', '=', group.id)
      .execute()
    expect(groups).toEqual([])
  })

  it('ends well when it is cut short, and when it is run again', async () => {
    const { user, client } = await world.newUser()
    const first = (await client.post('/projects', { name: 'First' })).json()
    const second = (await client.post('/projects', { name: 'Second' })).json()
    await remove(user.id)
    const payload = { user_id: user.id, hard_delete: false }
    // What a run leaves that died after the first project, and within the second.
    const { db } = world.app
    for (const { id } of [first, second]) {
      await db.updateTable('projects').set({ state: 'deleting' }).where('id', '=', id).execute()
    }
    await removeProjectTask.run(tools(), { project_id: first.id })
    const repository = projectRepository(world.app.config, {
      repository_storage: 'default',
      id: second.id,
    })
    rmSync(repository.path, { recursive: true })
    await world.app.worker.drain()
    expect((await admin().get(`/users/${user.id}`)).statusCode).toBe(404)
    await removeUserTask.run(tools(), payload)
    expect(
      await world.app.db
        .selectFrom('users')
        .select('id')
        .where('user_type', '=', 'ghost')
        .execute(),
    ).toHaveLength(1)
  })

  it('lets the bytes of a picture go an hour later', async () => {
    const { user, client } = await world.newUser()
    const { body, options } = multipart({ avatar: { filename: 'a.png', content: png() } })
    await client.put('/user/avatar', body, options)
    const { db, config, clock } = world.app
    const { blob } = await db
      .selectFrom('avatars')
      .select('blob')
      .where('owner_id', '=', user.id)
      .executeTakeFirstOrThrow()
    const place = join(config.data, 'blobs/avatars', blob.slice(0, 2), blob.slice(2, 4), blob)
    expect(existsSync(place)).toBe(true)
    await remove(user.id)
    await world.app.worker.drain()
    await removeUnlinkedAvatars(tools())
    expect(existsSync(place)).toBe(true)
    clock.advance(60 * 60_000 + 1)
    await removeUnlinkedAvatars(tools())
    expect(existsSync(place)).toBe(false)
    const rows = await db.selectFrom('avatars').select('id').where('blob', '=', blob).execute()
    expect(rows).toEqual([])
  })
})
