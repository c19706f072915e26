import { getIntrospectionQuery } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { browserAs, newPasswordUser } from '../../../../test/kit/session.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function ask(who: Who, query: string, more: object = {}, url = '/api/graphql') {
  const answer = await world.as(who).post(url, { query, ...more })
  return { status: answer.statusCode, body: answer.json() }
}

describe('POST /api/graphql', () => {
  it('tells who calls, and null to nobody', async () => {
    const { owner } = world.users
    const query =
      'query { currentUser { id username name active bot publicEmail groupCount namespace { id fullPath } avatarUrl webUrl } }'
    const answer = await ask('owner', query)
    expect(answer).toEqual({
      status: 200,
      body: {
        data: {
          currentUser: {
            id: `gid://gitlab/User/${owner.id}`,
            username: owner.username,
            name: owner.name,
            active: true,
            bot: false,
            publicEmail: null,
            groupCount: 3,
            namespace: {
              id: expect.stringMatching(/^gid:\/\/gitlab\/Namespaces::UserNamespace\/\d+$/),
              fullPath: owner.username,
            },
            avatarUrl: null,
            webUrl: `http://bloomery.test/${owner.username}`,
          },
        },
      },
    })
    const nobody = await ask('anonymous', 'query {currentUser {active}}', {}, '/api/graphql/')
    expect(nobody).toEqual({ status: 200, body: { data: { currentUser: null } } })
  })

  it('shows a project to who sees it, by a variable too', async () => {
    const { shut } = world.projects
    const description = 'What it is for'
    await world.as('owner').put(`/projects/${shut.id}`, { description })
    const query =
      'query($projectPath: ID!) { project(fullPath: $projectPath) { id name path fullPath description webUrl httpUrlToRepo sshUrlToRepo visibility terraformState(name: "x") { id } terraformStates { nodes { name latestVersion { serial } } edges { cursor } count pageInfo { endCursor hasNextPage } } } }'
    const variables = { projectPath: shut.full_path }
    expect((await ask('guest', query, { variables })).body).toEqual({
      data: {
        project: {
          id: `gid://gitlab/Project/${shut.id}`,
          name: shut.name,
          path: shut.path,
          fullPath: shut.full_path,
          description,
          webUrl: `http://bloomery.test/${shut.full_path}`,
          httpUrlToRepo: `http://bloomery.test/${shut.full_path}.git`,
          sshUrlToRepo: `ssh://git@bloomery.test:2222/${shut.full_path}.git`,
          visibility: 'private',
          terraformState: null,
          terraformStates: {
            nodes: [],
            edges: [],
            count: 0,
            pageInfo: { endCursor: null, hasNextPage: false },
          },
        },
      },
    })
    for (const who of ['outsider', 'anonymous'] as const) {
      expect((await ask(who, query, { variables })).body).toEqual({ data: { project: null } })
    }
  })

  it('shows a group to who sees it', async () => {
    const { shut } = world.groups
    const query = `{ group(fullPath: "${shut.full_path}") { id fullName webUrl } }`
    expect((await ask('guest', query)).body.data.group).toEqual({
      id: `gid://gitlab/Group/${shut.id}`,
      fullName: shut.full_name,
      webUrl: `http://bloomery.test/groups/${shut.full_path}`,
    })
    expect((await ask('outsider', query)).body).toEqual({ data: { group: null } })
  })

  it('tells its version, says what is said to it, and describes itself', async () => {
    const { body } = await ask('anonymous', '{ metadata { version revision } echo(text: "a") }')
    expect(body.data.metadata.version).toMatch(/^\d+\.\d+/)
    expect(body.data.echo).toBe('nil says: a')
    const described = await ask('anonymous', getIntrospectionQuery())
    expect(described.body.errors).toBeUndefined()
    expect(described.body.data.__schema.queryType.name).toBe('Query')
  })

  it.each([
    ['{ issues { id } }', 'Cannot query field "issues" on type "Query".'],
    ['mutation { a }', 'Schema is not configured to execute mutation operation.'],
    ['{', 'Syntax Error: Expected Name, found <EOF>.'],
    ['{ ...A } fragment A on Query { ...A }', 'Cannot spread fragment "A" within itself.'],
    [' ', 'No query string was present'],
    [`{ ${'a'.repeat(10_001)} }`, 'Query is too large'],
    [
      `{ ${Array.from({ length: 26 }, (_, n) => `a${n}: project(fullPath: "a/b") { id }`).join(' ')} }`,
      'Query has complexity of more than 500',
    ],
    [
      `{ ...A } fragment A on Query { ${'...B '.repeat(30)} } fragment B on Query { ${'...C '.repeat(30)} } fragment C on Query { __typename }`,
      'Query has complexity of more than 500',
    ],
  ])('refuses %j as an error of GraphQL', async (query, message) => {
    const { status, body } = await ask('owner', query)
    expect(status).toBe(200)
    expect(body.data ?? null).toBeNull()
    expect(body.errors[0].message).toBe(message)
  })

  it('takes no bad token, and none that may not read', async () => {
    const query = '{ currentUser { id } }'
    const bad = await world.app.client('glpat-unknown').post('/api/graphql', { query })
    expect([bad.statusCode, bad.json()]).toEqual([401, { errors: [{ message: 'Invalid token' }] }])
    const made = await world
      .as('owner')
      .post('/user/personal_access_tokens', { name: 't', scopes: ['read_user'] })
    const narrow = await world.app.client(made.json().token).post('/api/graphql', { query })
    expect(narrow.statusCode).toBe(403)
  })

  it('acts by the session of a browser for our own pages alone', async () => {
    const { user } = await newPasswordUser(world)
    const { reads, client } = await browserAs(world, user)
    const body = { query: '{ currentUser { username } }' }
    const own = await client.post('/api/graphql', body)
    expect(own.json().data.currentUser.username).toBe(user.username)
    expect((await reads.post('/api/graphql', body)).json().data.currentUser).toBeNull()
  })
})
