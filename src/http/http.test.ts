// What holds for every operation, shown on a few of them.
import { beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp } from '../../test/kit/app.ts'
import { newWorld, sharedApp, type World } from '../../test/kit/world.ts'
import { endpoints } from '../features/families.ts'
import type { Endpoint } from './endpoint.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const tokenWith = async (fields: Record<string, unknown>) =>
  (await world.as('owner').post('/user/personal_access_tokens', { name: 't', ...fields })).json()
    .token

describe('routing', () => {
  it.each([
    ['GET', '/nothing', 404, { error: '404 Not Found' }],
    ['GET', '/users/abc', 404, { error: '404 Not Found' }],
    ['GET', '/projects/%zz', 404, { error: '404 Not Found' }],
    [
      'GET',
      '/api/v3/projects',
      410,
      { error: 'API V3 is no longer supported. Use API V4 instead.' },
    ],
  ])('answers %s %s with %i', async (_method, url, status, body) => {
    const answer = await world.as('owner').get(url)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it('answers a known path with an unknown method with 405 and the known ones', async () => {
    const answer = await world.as('owner').delete('/user')
    expect(answer.statusCode).toBe(405)
    expect(answer.json()).toEqual({ error: '405 Not Allowed' })
    expect(answer.headers.allow).toBe('GET, PUT, HEAD, OPTIONS')
  })

  it.each([
    ['POST', '/projects/import', 404],
    ['POST', '/groups/import', 404],
    ['POST', '/groups/1/members/approve_all', 404],
    ['PATCH', '/groups/1/share/of_others', 404],
    ['PATCH', '/groups/1/projects/shared', 405],
    ['PATCH', '/projects/1', 405],
    ['POST', '/projects/a%2Fb', 405],
    ['PATCH', '/groups/1/projects/2', 405],
    ['PATCH', '/projects/1/variables/KEY', 405],
    ['POST', '/projects/1/protected_branches/main', 405],
  ] as const)('answers %s %s, which no route is for, with %i', async (method, url, status) => {
    const headers = { 'private-token': rootToken }
    const answer = await world.app.server.inject({ method, url: `/api/v4${url}`, headers })
    expect(answer.statusCode).toBe(status)
  })

  it('answers HEAD as GET without its body', async () => {
    const get = await world.as('owner').get('/user')
    const head = await world.as('owner').head('/user')
    expect(head.statusCode).toBe(200)
    expect(head.body).toBe('')
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)))
    expect(head.headers.etag).toBe(get.headers.etag)
    // What visitors may read, of what takes writes of users alone.
    expect((await world.as('anonymous').head('/topics')).statusCode).toBe(200)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'answers %s of an unknown path with 404, whatever type its empty body has',
    async (method) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await world.app.server.inject({ method, url: '/api/v4/nothing/here', headers })
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: '404 Not Found' }])
    },
  )

  it.each(['/user', '/nothing'])('knows no method QUERY of %s', async (path) => {
    const method = 'QUERY' as 'GET'
    const answer = await world.app.server.inject({ method, url: `/api/v4${path}` })
    expect(answer.statusCode).toBe(404)
  })

  it.each(['/groups/%00', '/projects/a%00%2Fb', '/users/99999999999999999999/custom_attributes'])(
    'answers %s with 404, as of nothing there is',
    async (url) => {
      expect((await world.as('admin').get(url)).statusCode).toBe(404)
    },
  )

  it('tolerates a slash at the end', async () => {
    expect((await world.as('owner').get('/user/')).statusCode).toBe(200)
  })

  it('answers a URL that is too long with 414', async () => {
    const answer = await world.as('owner').get(`/user?x=${'y'.repeat(20_000)}`)
    expect(answer.statusCode).toBe(414)
  })

  it('tells browsers to come by TLS only, where they have come so', async () => {
    const own = await startApp({ BLOOMERY_URL: 'https://bloomery.test' })
    try {
      const { headers } = await own.client().get('/nothing')
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    } finally {
      await own.close()
    }
    const { headers } = await world.as('anonymous').get('/nothing')
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  it('sends the headers of every answer', async () => {
    const { headers } = await world.as('anonymous').get('/nothing')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-runtime': expect.stringMatching(/^\d+\.\d{6}$/),
      vary: 'Origin',
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'cache-control': 'max-age=0, private, must-revalidate',
      'referrer-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    const meta = JSON.parse(String(headers['x-gitlab-meta']))
    expect(meta).toEqual({ correlation_id: headers['x-request-id'], version: '1' })
    expect(headers['x-service-meta']).toBe(headers['x-gitlab-meta'])
  })

  it('lets browsers of any origin read, without credentials', async () => {
    const answer = await world
      .as('anonymous')
      .get('/nothing', { headers: { origin: 'https://a.test' } })
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    const exposed = String(answer.headers['access-control-expose-headers']).split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining(['Link', 'X-Total', 'X-Gitlab-Blob-Id', 'X-Service-Size']),
    )
    const { app } = world
    const preflight = await app.server.inject({
      method: 'OPTIONS',
      url: '/api/v4/user',
      headers: { origin: 'https://a.test' },
    })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toContain('DELETE')
  })
})

describe('bodies', () => {
  const json = { 'content-type': 'application/json' }

  it('answers broken JSON in the exact words', async () => {
    const answer = await world.as('owner').post('/projects', '{"name":', { headers: json })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      error:
        "Problem:\n  message body does not match declared format\nResolution:\n  when specifying application/json as content-type, you must pass valid application/json in the request's 'body' \n",
    })
  })

  it.each(['text/yaml', 'yaml', '@@'])('refuses the content type %j', async (type) => {
    const headers = { 'content-type': type }
    const answer = await world.as('owner').post('/projects', 'name: x', { headers })
    expect(answer.statusCode).toBe(415)
    expect(answer.json()).toEqual({
      error: `The provided content-type '${type}' is not supported.`,
    })
  })

  it('refuses a body that is too large', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(6 * 1024 * 1024) })
    const answer = await world.as('owner').post('/projects', body, { headers: json })
    expect(answer.statusCode).toBe(413)
    expect(answer.json()).toEqual({ message: '413 Request Entity Too Large' })
  })

  it('does not read a large body of somebody unknown', async () => {
    const url = `/projects/${world.projects.open.id}/repository/files/x`
    const body = JSON.stringify({ content: 'x'.repeat(2 * 1024 * 1024) })
    const answer = await world.as('anonymous').post(url, body, { headers: json })
    expect(answer.statusCode).toBe(401)
  })

  it('takes half a character for no text', async () => {
    const answer = await world
      .as('owner')
      .post('/projects', '{"name":"\\ud800"}', { headers: json })
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'name is invalid' }])
  })

  it.each(['constructor', '__proto__', 'toString', { toString: 1 }, ['true'], 2])(
    'takes %j for no boolean',
    async (archived) => {
      const answer = await world.as('owner').post('/projects', { name: 'x', lfs_enabled: archived })
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'lfs_enabled is invalid' }])
    },
  )

  it('that end within a file of a form are refused, and nobody else notices', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=xyz' }
    const body =
      '--xyz\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n\r\nnothing fol'
    const answer = await world.as('owner').post('/projects', body, { headers })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: '400 Bad request - invalid multipart body' },
    ])
    expect((await world.as('owner').get('/user')).statusCode).toBe(200)
  })

  it('takes parameters of one call from path, query, form and multipart alike', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const url = (path: string) => `/projects/${project.id}/repository/files/${path}`
    const boundary = 'xyz'
    const part = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const multipart = `${part('commit_message', 'm')}${part('content', 'of a part')}--${boundary}--\r\n`
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    const first = await world.as('owner').post(`${url('b')}?branch=main`, multipart, { headers })
    expect(first.statusCode).toBe(201)
    const raw = await world.as('owner').get(`${url('b')}/raw`)
    expect(raw.body).toBe('of a part')
  })

  it('lets the path win over query and body', async () => {
    const url = `/projects/${world.projects.open.id}/repository/files/README.md?ref=main&id=99999&file_path=x`
    const answer = await world.as('owner').get(url)
    expect(answer.json()).toMatchObject({ file_path: 'README.md' })
  })

  it('reads the parameters of a GET from its body too', async () => {
    const { app } = world
    const answer = await app.server.inject({
      method: 'GET',
      url: `/api/v4/projects/${world.projects.open.id}/repository/files/README.md`,
      headers: { 'content-type': 'application/json', host: 'bloomery.test' },
      payload: '{"ref":"main"}',
    })
    expect(answer.statusCode).toBe(200)
  })

  it('reads no more of the body of a GET than an address could hold', async () => {
    const answer = await world.app.server.inject({
      method: 'GET',
      url: `/api/v4/projects/${world.projects.open.id}/repository/commits`,
      headers: { 'content-type': 'application/json', 'private-token': world.token('owner') },
      payload: JSON.stringify({ author: 'x'.repeat(200_000) }),
    })
    expect(answer.statusCode).toBe(413)
    expect((await world.as('owner').get('/projects')).statusCode).toBe(200)
  })
})

describe('tokens', () => {
  it.each([
    ['the header PRIVATE-TOKEN', (token: string) => ({ headers: { 'private-token': token } })],
    ['a Bearer header', (token: string) => ({ headers: { authorization: `Bearer ${token}` } })],
    ['private_token in the query', (token: string) => ({ query: { private_token: token } })],
    ['access_token in the query', (token: string) => ({ query: { access_token: token } })],
  ] as [string, (token: string) => object][])('are taken from %s', async (_name, place) => {
    const { app } = world
    const answer = await app.server.inject({
      method: 'GET',
      url: '/api/v4/user',
      ...place(world.token('owner')),
    })
    expect(answer.json()).toMatchObject({ id: world.users.owner.id })
  })

  it('are taken from a body, where no other place has one', async () => {
    const body = { private_token: world.token('owner'), name: 't', scopes: ['read_api'] }
    const answer = await world.as('anonymous').post('/user/personal_access_tokens', body)
    expect(answer.statusCode).toBe(201)
  })

  it('of a header win over one in the body', async () => {
    const body = { private_token: world.token('guest'), name: 't', scopes: ['read_api'] }
    const made = await world.as('owner').post('/user/personal_access_tokens', body)
    expect([made.statusCode, made.json().user_id]).toEqual([201, world.users.owner.id])
  })

  it.each(['', 5])('are texts: %j is none', async (private_token) => {
    const body = { private_token, name: 't', scopes: ['read_api'] }
    const url = '/user/personal_access_tokens'
    const answer = await world.as('anonymous').post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([401, { message: '401 Unauthorized' }])
    expect((await world.as('owner').post(url, body)).statusCode).toBe(201)
  })

  it('that are empty in a query are none', async () => {
    const url = `/projects/${world.projects.open.id}?private_token=`
    expect((await world.as('anonymous').get(url)).statusCode).toBe(200)
  })

  it('stand in no link to another page', async () => {
    const others = 'access_token=x&bearer_token=x&job_token=x&sudo=root'
    const answer = await world
      .as('anonymous')
      .get(`/users?per_page=1&private_token=${world.token('admin')}&${others}`)
    expect(answer.headers.link).toContain('rel="next"')
    expect(answer.headers.link).not.toMatch(/token|sudo/)
  })

  it('are not taken as Basic credentials', async () => {
    const basic = Buffer.from(`x:${world.token('owner')}`).toString('base64')
    const headers = { authorization: `Basic ${basic}` }
    expect((await world.as('anonymous').get('/user', { headers })).statusCode).toBe(401)
  })

  it('that are unknown are refused even where none is needed', async () => {
    const answer = await world.app.client('glpat-wrong').get(`/projects/${world.projects.open.id}`)
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ message: '401 Unauthorized' })
    expect(answer.headers['www-authenticate']).toBeUndefined()
  })

  it('that were revoked or have expired say so', async () => {
    const own = await startApp()
    try {
      const root = own.client(rootToken)
      const make = async (fields: object) =>
        (
          await root.post('/user/personal_access_tokens', { name: 't', scopes: ['api'], ...fields })
        ).json()
      const revoked = await make({})
      await root.delete(`/personal_access_tokens/${revoked.id}`)
      const expired = await make({ expires_at: '2026-03-02' })
      expect((await own.client(expired.token).get('/user')).statusCode).toBe(200)
      own.clock.advance(12 * 60 * 60 * 1000)
      for (const [token, description] of [
        [revoked.token, 'Token was revoked. You have to re-authorize from the user.'],
        [expired.token, 'Token is expired. You can either do re-authorization or token refresh.'],
      ]) {
        const answer = await own.client(token).get('/user')
        expect(answer.statusCode).toBe(401)
        expect(answer.json()).toEqual({ error: 'invalid_token', error_description: description })
        expect(answer.headers['www-authenticate']).toBe(
          `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${description}"`,
        )
      }
    } finally {
      await own.close()
    }
  })

  it.each([
    ['api', 'GET', '/user', 200],
    ['read_api', 'GET', '/user', 200],
    ['read_api', 'HEAD', '/user', 200],
    ['read_repository', 'HEAD', '/user', 403],
    ['read_user', 'GET', '/user', 200],
    ['read_user', 'GET', '/version', 200],
    ['read_user', 'GET', '/personal_access_tokens', 403],
    ['read_repository', 'GET', '/user', 403],
    ['read_repository', 'GET', '/personal_access_tokens/self', 200],
    ['read_api', 'POST', '/user/personal_access_tokens', 403],
  ] as const)('of scope %s answer %s %s with %i', async (scope, method, url, status) => {
    const client = world.app.client(await tokenWith({ scopes: [scope] }))
    const send = { GET: client.get, HEAD: client.head, POST: client.post }[method]
    const answer = await send(url)
    expect(answer.statusCode).toBe(status)
  })

  it('name the accepted scopes when theirs is too small', async () => {
    const client = world.app.client(await tokenWith({ scopes: ['read_repository'] }))
    expect((await client.get('/user')).json()).toEqual({
      error: 'insufficient_scope',
      error_description:
        'The request requires higher privileges than provided by the access token.',
      scope: 'read_user api read_api',
    })
  })

  it.each([
    ['POST', '/users'],
    ['PUT', '/users/1'],
    ['POST', '/users/1/block'],
    ['POST', '/users/1/keys'],
    ['GET', '/users/1/projects'],
  ] as const)('name them for %s %s, whatever the method', async (method, url) => {
    const client = world.app.client(await tokenWith({ scopes: ['read_repository'] }))
    const answer = await { GET: client.get, POST: client.post, PUT: client.put }[method]?.(url)
    expect(answer?.json()).toMatchObject({
      scope: url.endsWith('/projects') ? 'api read_api' : 'read_user api read_api',
    })
  })

  it('of scope read_user read whatever belongs to users and is not ours alone', () => {
    const isOfUsers = ({ path }: Endpoint) => /^\/users?(\/|$)/.test(path)
    const without = endpoints
      .filter((endpoint) => isOfUsers(endpoint) && endpoint.scope !== 'read_user')
      .map(({ method, path }) => `${method} ${path}`)
    expect(without.sort()).toEqual([
      'DELETE /user/applications/:id',
      'DELETE /user/authorized_applications/:id',
      'DELETE /user/sessions/:id(^\\d+$)',
      'DELETE /user/two_factor',
      'DELETE /users/:id(^\\d+$)/sessions/:session_id(^\\d+$)',
      'GET /user/applications',
      'GET /user/authorized_applications',
      'GET /user/registration',
      'GET /user/sessions',
      'GET /users/:id(^\\d+$)/sessions',
      'GET /users/:user_id/contributed_projects',
      'GET /users/:user_id/projects',
      'GET /users/:user_id/starred_projects',
      'PATCH /users/:id(^\\d+$)/disable_two_factor',
      'POST /user/applications',
      'POST /user/applications/:id/renew-secret',
      'POST /user/confirmation',
      'POST /user/confirmation/resend',
      'POST /user/password_reset',
      'POST /user/registration',
      'POST /user/runners',
      'POST /user/two_factor',
      'POST /user/two_factor/recovery_codes',
      'POST /users/:id/impersonation',
      'PUT /user',
      'PUT /user/applications/:id',
      'PUT /user/password',
      'PUT /user/password_reset',
      'PUT /user/two_factor',
    ])
  })

  it.each([
    ['blocked', 'Your account has been blocked.'],
    [
      'deactivated',
      'Your account has been deactivated by your administrator. Please log back in to reactivate your account.',
    ],
    [
      'blocked_pending_approval',
      'Your account is pending approval from your administrator and hence blocked.',
    ],
  ] as const)('of a %s user are refused', async (state, text) => {
    const { client } = await world.newUser({ state })
    const answer = await client.get('/user')
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({ message: `403 Forbidden - ${text}` })
  })
})

describe('GET /api/v3/user', () => {
  it('is all that is left of the version before', async () => {
    const { server } = world.app
    const headers = { 'private-token': world.token('guest') }
    const answer = await server.inject({ method: 'GET', url: '/api/v3/user', headers })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual((await world.as('guest').get('/user')).json())
    const nobody = await server.inject({ method: 'GET', url: '/api/v3/user' })
    expect([nobody.statusCode, nobody.json()]).toEqual([401, { message: '401 Unauthorized' }])
    const other = await server.inject({ method: 'GET', url: '/api/v3/users', headers })
    expect(other.statusCode).toBe(410)
  })
})

describe('sudo', () => {
  it.each(['query', 'header', 'name'])('acts as the user (%s)', async (place) => {
    const { guest } = world.users
    const value = place === 'name' ? guest.username.toUpperCase() : String(guest.id)
    const answer =
      place === 'header'
        ? await world.as('admin').get('/user', { headers: { sudo: value } })
        : await world.as('admin').get(`/user?sudo=${value}`)
    expect(answer.json()).toMatchObject({ id: guest.id })
    expect(answer.json().is_admin).toBeUndefined()
  })

  it('acts as the user (number in a body)', async () => {
    const body = { name: 't', scopes: ['read_api'], sudo: world.users.guest.id }
    const made = await world.as('admin').post('/user/personal_access_tokens', body)
    expect([made.statusCode, made.json().user_id]).toEqual([201, world.users.guest.id])
  })

  it('has the rights of the user it acts as', async () => {
    const url = `/projects/${world.projects.shut.id}?sudo=${world.users.outsider.id}`
    expect((await world.as('admin').get(url)).statusCode).toBe(404)
  })

  it.each([
    ['anonymous', '1', 401, { message: '401 Unauthorized' }],
    ['owner', '1', 403, { message: '403 Forbidden - Must be admin to use sudo' }],
    ['admin', '999999', 404, { message: "404 User with ID or username '999999' Not Found" }],
  ] as const)('answers %s as %s with %i', async (who, sudo, status, body) => {
    const answer = await world.as(who).get(`/user?sudo=${sudo}`)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it('needs the scope', async () => {
    const made = await world
      .as('admin')
      .post('/user/personal_access_tokens', { name: 't', scopes: ['api'] })
    const answer = await world.app
      .client(made.json().token)
      .get(`/user?sudo=${world.users.guest.id}`)
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ error: 'insufficient_scope', scope: 'sudo' })
  })

  it.each([
    [['sudo'], 403, 403, 403],
    [['read_user', 'sudo'], 200, 403, 403],
    [['read_api', 'sudo'], 200, 200, 403],
    [['api', 'sudo'], 200, 200, 201],
  ] as const)('needs the scope for what is done too: %j', async (scopes, user, projects, made) => {
    const fields = { name: 't', scopes }
    const { token } = (await world.as('admin').post('/user/personal_access_tokens', fields)).json()
    const client = world.app.client(token)
    const { user: other } = await world.newUser()
    const asOther = { headers: { sudo: other.username } }
    const name = `by-sudo-${other.id}`
    expect((await client.get('/user', asOther)).statusCode).toBe(user)
    expect((await client.get('/projects', asOther)).statusCode).toBe(projects)
    expect((await client.post('/projects', { name, sudo: other.id })).statusCode).toBe(made)
    // Nor does it make an administrator.
    const admin = { username: name, name, email: `${name}@x.test`, password: 'longenough-1' }
    const answer = await client.post('/users', { ...admin, admin: true, sudo: 'root' })
    expect(answer.statusCode).toBe(made)
  })
})

describe('the log', () => {
  it('has one line a request and no secret in it', async () => {
    const { log } = world.app
    const before = log.length
    const token = world.token('owner')
    const made = await world.as('anonymous').get(`/user?private_token=${token}`)
    const lines = log.slice(before)
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'request',
        request_id: made.headers['x-request-id'],
        method: 'GET',
        path: '/api/v4/user',
        route: '/api/v4/user',
        status: 200,
        user_id: world.users.owner.id,
        duration_ms: expect.any(Number),
      }),
    ])
    expect(JSON.stringify(log)).not.toContain(token)
    expect(JSON.stringify(log)).not.toContain(rootToken)
  })

  it('keeps the cause of a fault to itself', async () => {
    const own = await startApp()
    try {
      await own.db.schema.dropTable('protected_branch_access_levels').execute()
      await own.db.schema.dropTable('tasks').execute()
      const answer = await own.client(rootToken).post('/projects', { name: 'x' })
      expect(answer.statusCode).toBe(500)
      expect(answer.json()).toEqual({ message: '500 Internal Server Error' })
      expect(own.log.some((line) => line.msg === 'fault')).toBe(true)
    } finally {
      await own.close()
    }
  })
})

describe('the database', () => {
  it('holds no token and no password in the clear', async () => {
    const { db } = await sharedApp()
    const tables = await Promise.all([
      db.selectFrom('users').selectAll().execute(),
      db.selectFrom('personal_access_tokens').selectAll().execute(),
      db.selectFrom('projects').selectAll().execute(),
    ])
    const text = JSON.stringify(tables)
    for (const secret of [rootToken, 'the password of root', world.token('owner')]) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toContain('GR1348941')
  })
})

describe('rate limits', () => {
  it('are off until configured', async () => {
    const answer = await world.as('owner').get('/user')
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([])
  })

  it('answer as documented once they are', async () => {
    const own = await startApp({
      BLOOMERY_RATE_LIMITS: JSON.stringify({
        authenticated_api: { requests: 2, period_s: 30 },
        unauthenticated_api: { requests: 1, period_s: 60 },
      }),
    })
    try {
      const root = own.client(rootToken)
      await root.get('/user')
      expect((await root.get('/user')).statusCode).toBe(200)
      const third = await root.get('/user')
      expect(third.statusCode).toBe(429)
      expect(third.body).toBe('Retry later\n')
      expect(third.headers).toMatchObject({
        'content-type': 'text/plain',
        'ratelimit-name': 'throttle_authenticated_api',
        'ratelimit-limit': '4',
        'ratelimit-observed': '3',
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(Date.parse('2026-03-01T12:00:30Z') / 1000),
        'ratelimit-resettime': 'Sun, 01 Mar 2026 12:00:30 GMT',
        'retry-after': '30',
      })
      expect((await own.client().get('/version')).statusCode).toBe(401)
      expect((await own.client().get('/version')).statusCode).toBe(429)
      own.clock.advance(30_000)
      expect((await root.get('/user')).statusCode).toBe(200)
    } finally {
      await own.close()
    }
  })
})

describe('the instance', () => {
  it('answers its monitors', async () => {
    const anonymous = world.as('anonymous')
    expect((await anonymous.get('/-/health')).body).toBe('GitLab OK')
    expect((await anonymous.get('/-/liveness')).json()).toEqual({ status: 'ok' })
    expect((await anonymous.get('/-/readiness')).json()).toEqual({ status: 'ok' })
    const metrics = await anonymous.get('/-/metrics')
    expect(metrics.body).toMatch(
      /bloomery_http_requests_total\{method="GET",route="\/-\/health",status="200"\} \d+/,
    )
  })

  it.each([
    ['elsewhere', { remoteAddress: '192.0.2.9' }, 404],
    ['a listed range', { remoteAddress: '198.51.100.7' }, 200],
    ['a listed range of IPv6', { remoteAddress: '2001:db8::5' }, 200],
    ['a proxy on the machine', { headers: { 'x-forwarded-for': '192.0.2.9' } }, 404],
    [
      'elsewhere with the token',
      { remoteAddress: '192.0.2.9', headers: { authorization: 'Bearer for-metrics' } },
      200,
    ],
    [
      'elsewhere with another',
      { remoteAddress: '192.0.2.9', headers: { authorization: 'Bearer x' } },
      404,
    ],
  ] as [string, object, number][])(
    'shows its metrics to %s or not',
    async (_from, request, status) => {
      const own = await startApp({
        BLOOMERY_METRICS_FROM: '198.51.100.0/24, 2001:db8::/32',
        BLOOMERY_METRICS_TOKEN: 'for-metrics',
      })
      try {
        const answer = await own.server.inject({ method: 'GET', url: '/-/metrics', ...request })
        expect(answer.statusCode).toBe(status)
      } finally {
        await own.close()
      }
    },
  )

  it('describes all it serves, to everybody', async () => {
    const answer = await world.as('anonymous').get('/openapi.json')
    const document = answer.json()
    expect(document).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'http://bloomery.test/api/v4' }],
    })
    const file = document.paths['/projects/{id}/repository/files/{file_path}']
    expect(Object.keys(file)).toEqual(['get', 'head', 'post', 'put', 'delete'])
    expect(file.head.responses[200]).toEqual({ description: 'Success' })
    expect(document.paths['/projects'].get.parameters).toContainEqual({
      name: 'topic',
      in: 'query',
      required: false,
      schema: { type: 'array', items: { type: 'string' }, maxItems: 100 },
      style: 'form',
      explode: false,
    })
    expect(file.get.parameters).toContainEqual({
      name: 'ref',
      in: 'query',
      required: true,
      schema: { type: 'string' },
    })
    const ids = Object.values(
      document.paths as Record<string, Record<string, { operationId: string }>>,
    )
      .flatMap((operations) => Object.values(operations))
      .map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const { content } = document.paths['/users/{id}'].put.requestBody
    expect(Object.keys(content)).toEqual(['application/json', 'multipart/form-data'])
    expect(content['multipart/form-data'].schema.properties.avatar.anyOf[0]).toEqual({
      type: 'string',
      format: 'binary',
    })
    const page = await world.as('anonymous').get('/docs')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1])
    expect(assets).toHaveLength(3)
    for (const asset of assets) {
      const loaded = await world.as('anonymous').get(`/${asset}`)
      expect([loaded.statusCode, loaded.body.length > 0]).toEqual([200, true])
      expect(loaded.headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/)
    }
  })

  it('tells its version to whoever is signed in', async () => {
    expect((await world.as('anonymous').get('/version')).statusCode).toBe(401)
    for (const path of ['/version', '/metadata']) {
      expect((await world.as('guest').get(path)).json()).toEqual({
        version: '15.0.0-ee',
        revision: 'bloomery',
        kas: { enabled: false, externalUrl: null, version: null },
        enterprise: true,
      })
    }
  })
})
