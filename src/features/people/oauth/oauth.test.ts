import { createHash } from 'node:crypto'
import * as client from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import {
  browserAs,
  impersonate,
  newPasswordUser,
  testPassword,
} from '../../../../test/kit/session.ts'
import { formOf, newVisitor, origin, titleOf, type Visitor } from '../../../../test/kit/visitor.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { authenticateByToken, reloadActor } from '../credentials/credential.ts'
import { replaceRecoveryCodesWithNew } from '../sign-in/two-factor.ts'
import { removeExpiredOauthRows } from './oauth.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const back = 'https://app.example.test/back'
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

type Registered = { id: number; application_id: string; secret: string }

async function register(fields: object = {}): Promise<Registered> {
  const body = { name: 'Prober', redirect_uri: back, scopes: 'api openid profile email', ...fields }
  const made = await world.as('admin').post('/applications', body)
  expect(made.statusCode).toBe(201)
  return made.json()
}

function request(
  url: string,
  options: { method?: 'GET' | 'POST'; form?: object; headers?: Record<string, string> } = {},
) {
  const { method = 'POST', form, headers = {} } = options
  return world.app.server.inject({
    method,
    url,
    headers: {
      host: 'bloomery.test',
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...headers,
    },
    ...(form ? { payload: new URLSearchParams(form as Record<string, string>).toString() } : {}),
  })
}

const token = (form: object, headers?: Record<string, string>) =>
  request('/oauth/token', { form, ...(headers ? { headers } : {}) })

/** A visitor who is signed in by the page. */
async function signedIn(user?: { username: string }): Promise<Visitor> {
  const visitor = newVisitor(world.app)
  const { username } = user ?? (await newPasswordUser(world)).user
  const page = await visitor.get('/users/sign_in')
  const done = await visitor.post('/users/sign_in', {
    ...formOf(page).hidden,
    login: username,
    password: testPassword,
  })
  expect([done.statusCode, titleOf(done)]).toEqual([200, 'You are signed in'])
  return visitor
}

function authorizeUrl(application: Registered, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: application.application_id,
    redirect_uri: back,
    response_type: 'code',
    ...more,
  })
  return `/oauth/authorize?${query}`
}

/** What the browser carries back to the application. */
function carried({ headers }: { headers: Record<string, unknown> }): Record<string, string> {
  const url = new URL(String(headers.location))
  return { at: `${url.origin}${url.pathname}`, ...Object.fromEntries(url.searchParams) }
}

/** A code that the user allowed. */
async function codeFor(
  visitor: Visitor,
  application: Registered,
  more: Record<string, string> = {},
): Promise<string> {
  let answer = await visitor.get(authorizeUrl(application, more))
  if (answer.statusCode === 200) {
    const form = { ...formOf(answer).hidden, decision: 'allow' }
    answer = await visitor.post('/oauth/authorize', form)
  }
  const { code } = carried(answer)
  if (code === undefined) throw new Error(`No code: ${answer.headers.location}`)
  return code
}

const idOf = ({ application_id, secret }: Registered) => ({
  client_id: application_id,
  client_secret: secret,
})

async function pairFor(
  visitor: Visitor,
  application: Registered,
  more: Record<string, string> = {},
) {
  const code = await codeFor(visitor, application, more)
  const form = { grant_type: 'authorization_code', code, redirect_uri: back, ...idOf(application) }
  const answer = await token(form)
  expect(answer.statusCode).toBe(200)
  return answer.json() as { access_token: string; refresh_token: string; id_token?: string }
}

const user = (text: string) =>
  world.app.client().get('/user', { headers: { authorization: `Bearer ${text}` } })

const refusedGrant = {
  error: 'invalid_grant',
  error_description:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
}
const refusedClient = {
  error: 'invalid_client',
  error_description:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
}

describe('a published OpenID Connect client', () => {
  it('signs a user in by a code with PKCE, and reads who they are', async () => {
    const application = await register()
    const { user: person } = await newPasswordUser(world)
    const send: client.CustomFetch = async (url, { method, headers, body }) => {
      const answer = await world.app.server.inject({
        method: method as 'GET',
        url: url.replace(origin, ''),
        headers: { ...(headers as Record<string, string>), host: 'bloomery.test' },
        payload: body === undefined || body === null ? undefined : String(body),
      })
      return new Response(answer.body, {
        status: answer.statusCode,
        headers: { 'content-type': String(answer.headers['content-type']) },
      })
    }
    // The clock of tests stands still.
    const skew_s = Math.round((world.app.clock.now().getTime() - Date.now()) / 1000)
    const server = await client.discovery(
      new URL(origin),
      application.application_id,
      { [client.clockSkew]: skew_s },
      client.ClientSecretBasic(application.secret),
      {
        execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
        [client.customFetch]: send,
      },
    )
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedNonce = client.randomNonce()
    const expectedState = client.randomState()
    const asked = client.buildAuthorizationUrl(server, {
      redirect_uri: back,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      nonce: expectedNonce,
      state: expectedState,
    })
    const visitor = newVisitor(world.app)
    const away = await visitor.get(asked.href)
    expect(away.statusCode).toBe(302)
    const page = await visitor.get(String(away.headers.location))
    const entered = await visitor.post('/users/sign_in', {
      ...formOf(page).hidden,
      login: person.username,
      password: testPassword,
    })
    expect(entered.statusCode).toBe(302)
    const consent = await visitor.get(String(entered.headers.location))
    expect(titleOf(consent)).toBe('Authorize Prober to use your account?')
    const { hidden } = formOf(consent)
    const allowed = await visitor.post('/oauth/authorize', { ...hidden, decision: 'allow' })
    expect(allowed.statusCode).toBe(302)
    const checks = { pkceCodeVerifier, expectedNonce, expectedState }
    const callback = new URL(String(allowed.headers.location))
    const tokens = await client.authorizationCodeGrant(server, callback, checks)
    const claims = tokens.claims()
    expect(claims).toMatchObject({
      iss: origin,
      sub: String(person.id),
      aud: application.application_id,
      email: person.email,
      email_verified: true,
      nickname: person.username,
    })
    // Somebody who is a member of no group is told of none.
    expect(claims).not.toHaveProperty('groups_direct')
    const info = await client.fetchUserInfo(server, tokens.access_token, String(person.id))
    expect(info).toMatchObject({
      name: person.name,
      nickname: person.username,
      profile: `${origin}/${person.username}`,
      groups: [],
    })
    const renewed = await client.refreshTokenGrant(server, tokens.refresh_token ?? '')
    expect(renewed.access_token).not.toBe(tokens.access_token)
    expect(renewed.claims()?.sub).toBe(String(person.id))
    await client.tokenRevocation(server, renewed.access_token)
    expect((await user(renewed.access_token)).statusCode).toBe(401)
  })
})

describe('GET /oauth/authorize', () => {
  it('shows an error page, and redirects nowhere, without a client or address that is registered', async () => {
    const application = await register()
    const visitor = await signedIn()
    const client_id = application.application_id
    for (const [more, text] of [
      [{ client_id: 'f'.repeat(64) }, 'Client authentication failed due to unknown client'],
      [{ redirect_uri: `${back}/more` }, 'The requested redirect uri is malformed'],
      [{ redirect_uri: `${back}?x=1` }, 'The requested redirect uri is malformed'],
      [{ redirect_uri: 'https://app.example.test.evil.test/back' }, 'The requested redirect uri'],
      [{ redirect_uri: 'https://app.example.test/back/../x' }, 'The requested redirect uri'],
      [{ redirect_uri: 'javascript:alert(1)' }, 'The requested redirect uri'],
      [{ redirect_uri: '//evil.test' }, 'The requested redirect uri'],
      [{ redirect_uri: '' }, 'The requested redirect uri'],
    ] as const) {
      const answer = await visitor.get(authorizeUrl(application, { client_id, ...more }))
      expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined])
      expect(answer.body).toContain(text)
    }
  })

  it('lets only loopback addresses have another port', async () => {
    const redirect_uri = 'http://127.0.0.1/cb\nhttp://localhost:7171/auth/redirect'
    const application = await register({ redirect_uri, confidential: false })
    const visitor = await signedIn()
    const statuses = []
    for (const uri of [
      'http://127.0.0.1:49152/cb',
      'http://127.0.0.1/cb',
      'http://127.0.0.1:49152/other',
      'http://127.0.0.1:1@evil.test/cb',
      'http://localhost:7171/auth/redirect',
      'http://localhost:7172/auth/redirect',
    ]) {
      const answer = await visitor.get(authorizeUrl(application, { redirect_uri: uri }))
      statuses.push(answer.statusCode)
    }
    expect(statuses).toEqual([200, 200, 400, 400, 200, 400])
  })

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: '' }, 'invalid_request'],
    [{ scope: 'sudo' }, 'invalid_scope'],
    [{ scope: 'nonsense' }, 'invalid_scope'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S512' }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    [{ response_mode: 'form_post' }, 'invalid_request'],
    [{ request: 'x' }, 'request_not_supported'],
    [{ prompt: 'none' }, 'login_required'],
  ])('sends %j back with %s', async (more, error) => {
    const application = await register()
    const url = authorizeUrl(application, { state: 'a b&c', ...(more as Record<string, string>) })
    const answer = await newVisitor(world.app).get(url)
    expect(answer.statusCode).toBe(302)
    expect(carried(answer)).toMatchObject({ at: back, error, state: 'a b&c' })
    expect(carried(answer).error_description).toBeTruthy()
  })

  it('sends whoever is not signed in to the sign-in, and from there back', async () => {
    const application = await register()
    const url = authorizeUrl(application, { state: 's', prompt: 'login' })
    const answer = await newVisitor(world.app).get(url)
    expect(answer.statusCode).toBe(302)
    expect(carried(answer)).toEqual({
      at: `${origin}/users/sign_in`,
      return_to: url.replace('&prompt=login', ''),
    })
    const again = await (await signedIn()).get(authorizeUrl(application, { prompt: 'login' }))
    expect(carried(again).at).toBe(`${origin}/users/sign_in`)
  })

  it('asks by a page that runs nothing, cannot be framed, and posts to us and the application alone', async () => {
    const application = await register({ name: '<b>Evil</b>' })
    const visitor = await signedIn()
    const page = await visitor.get(authorizeUrl(application, { state: '"><script>' }))
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self' https://app.example.test;")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(page.body).not.toMatch(/<script|<b>Evil/)
    expect(page.body).toContain('&lt;b&gt;Evil')
    expect(formOf(page).hidden.state).toBe('"><script>')
  })

  it('does nothing for a form that is not our own', async () => {
    const application = await register()
    const visitor = await signedIn()
    const { hidden } = formOf(await visitor.get(authorizeUrl(application)))
    for (const authenticity_token of ['', 'x'.repeat(43)]) {
      const form = { ...hidden, authenticity_token, decision: 'allow' }
      const answer = await visitor.post('/oauth/authorize', form)
      expect([answer.statusCode, answer.headers.location]).toEqual([403, undefined])
    }
    const moved = await visitor.post('/oauth/authorize', {
      ...hidden,
      redirect_uri: 'https://evil.test/',
      decision: 'allow',
    })
    expect([moved.statusCode, moved.headers.location]).toEqual([400, undefined])
    const stranger = await newVisitor(world.app).post('/oauth/authorize', {
      ...hidden,
      decision: 'allow',
    })
    expect(stranger.statusCode).toBe(403)
  })

  it('tells the application of a no', async () => {
    const application = await register()
    const visitor = await signedIn()
    const { hidden } = formOf(await visitor.get(authorizeUrl(application, { state: 's' })))
    const answer = await visitor.post('/oauth/authorize', { ...hidden, decision: 'deny' })
    expect(carried(answer)).toEqual({
      at: back,
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request.',
      state: 's',
    })
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
  })

  it('asks no more where the same was allowed, or the application is trusted', async () => {
    const visitor = await signedIn()
    const application = await register()
    await pairFor(visitor, application, { scope: 'openid' })
    const same = await visitor.get(authorizeUrl(application, { scope: 'openid' }))
    expect(same.statusCode).toBe(302)
    expect(carried(same).code).toMatch(/^[0-9a-f]{64}$/)
    const other = await signedIn()
    const ofOther = await other.get(authorizeUrl(application, { scope: 'openid' }))
    expect(ofOther.statusCode).toBe(200)
    const unknown = await visitor.get(authorizeUrl(await register(), { scope: 'openid' }))
    expect(unknown.statusCode).toBe(200)
    const more = await visitor.get(authorizeUrl(application, { scope: 'openid api' }))
    expect(more.statusCode).toBe(200)
    const told = { scope: 'openid', prompt: 'consent' }
    expect((await visitor.get(authorizeUrl(application, told))).statusCode).toBe(200)
    const silent = { scope: 'openid api', prompt: 'none' }
    const refused = await visitor.get(authorizeUrl(application, silent))
    expect(carried(refused).error).toBe('consent_required')
    const trusted = await visitor.get(authorizeUrl(await register({ trusted: true })))
    expect(trusted.statusCode).toBe(302)
    // Any program can say it is one without a secret.
    const open = await register({ confidential: false })
    await codeFor(visitor, open)
    expect((await visitor.get(authorizeUrl(open))).statusCode).toBe(200)
  })

  it('records the administrator who allows it while impersonating the user', async () => {
    const { user: administrator } = await world.newUser({ is_admin: true })
    const { user: person } = await world.newUser()
    const browser = await browserAs(world, administrator)
    const { cookie } = await impersonate(world, browser, person.id)
    const visitor = newVisitor(world.app)
    visitor.cookies.set(...(cookie.split('=') as [string, string]))
    await codeFor(visitor, await register({ scopes: 'read_user' }))
    const event = await world.app.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('author_id', '=', person.id)
      .executeTakeFirst()
    expect(event).toEqual({
      action: 'application_allowed',
      details: {
        scopes: ['read_user'],
        impersonated_by_id: administrator.id,
        impersonated_by: administrator.username,
      },
    })
  })

  it('shows the code to programs that nothing can be sent to', async () => {
    const redirect_uri = 'urn:ietf:wg:oauth:2.0:oob'
    const application = await register({ redirect_uri, trusted: true })
    const page = await (await signedIn()).get(authorizeUrl(application, { redirect_uri }))
    expect([page.statusCode, titleOf(page)]).toEqual([200, 'Authorization code'])
    expect(page.body).toMatch(/<code>[0-9a-f]{64}<\/code>/)
    const silent = authorizeUrl(await register({ redirect_uri }), { redirect_uri, prompt: 'none' })
    const failed = await (await signedIn()).get(silent)
    expect([failed.statusCode, titleOf(failed)]).toEqual([400, 'Authorization failed'])
    expect(failed.body).toContain(
      '<p>The authorization server requires end-user consent (<code>consent_required</code>)</p>',
    )
  })

  it('answers in the fragment where that is asked for', async () => {
    const application = await register({ trusted: true })
    const url = authorizeUrl(application, { response_mode: 'fragment' })
    const answer = await (await signedIn()).get(url)
    expect(answer.headers.location).toMatch(/^https:\/\/app\.example\.test\/back#code=/)
  })
})

describe('the sign-in page', () => {
  it('leads nowhere else', async () => {
    for (const place of [
      'https://evil.test/',
      '//evil.test',
      '/\\evil.test',
      '/oauth/authorize@evil',
    ]) {
      const visitor = newVisitor(world.app)
      const { user: person } = await newPasswordUser(world)
      const page = await visitor.get(`/users/sign_in?${new URLSearchParams({ return_to: place })}`)
      const { hidden } = formOf(page)
      expect(hidden.return_to).toBe('')
      const done = await visitor.post('/users/sign_in', {
        ...hidden,
        return_to: place,
        login: person.username,
        password: testPassword,
      })
      expect([done.statusCode, done.headers.location]).toEqual([200, undefined])
    }
  })

  it('takes no form but its own', async () => {
    const { user: person } = await newPasswordUser(world)
    const visitor = newVisitor(world.app)
    const { hidden } = formOf(await visitor.get('/users/sign_in'))
    const form = { ...hidden, login: person.username, password: testPassword }
    const foreign = await visitor.post('/users/sign_in', form, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.statusCode).toBe(403)
    const forged = await newVisitor(world.app).post('/users/sign_in', form)
    expect(forged.statusCode).toBe(403)
    expect(String(forged.headers['set-cookie'])).not.toMatch(/bloomery_session|signed_in/)
  })

  it('asks for a code where the user has two-factor sign-in', async () => {
    const { user: person } = await newPasswordUser(world, { two_factor_enabled: true })
    const visitor = newVisitor(world.app)
    const form = { login: person.username, password: testPassword }
    const page = await visitor.get('/users/sign_in')
    expect(page.body).not.toContain('name="otp"')
    const asked = await visitor.post('/users/sign_in', { ...formOf(page).hidden, ...form })
    expect(asked.statusCode).toBe(401)
    expect(asked.body).toContain('name="otp"')
    const wrong = { ...formOf(asked).hidden, ...form, otp: '000000' }
    const answer = await visitor.post('/users/sign_in', wrong)
    expect(answer.statusCode).toBe(401)
    expect(visitor.cookies.has('bloomery_session')).toBe(false)
    const [otp = ''] = await replaceRecoveryCodesWithNew(world.app.db, person.id)
    const done = await visitor.post('/users/sign_in', { ...wrong, otp })
    expect([done.statusCode, titleOf(done)]).toEqual([200, 'You are signed in'])
    expect(visitor.cookies.has('bloomery_session')).toBe(true)
    expect(visitor.cookies.get('bloomery_signed_in')).toBe('1')
  })

  it('says of a wrong password and of an unknown name the same', async () => {
    const { user: person } = await newPasswordUser(world)
    const answers = []
    for (const login of [person.username, 'nobody-at-all']) {
      const visitor = newVisitor(world.app)
      const { hidden } = formOf(await visitor.get('/users/sign_in'))
      const form = { ...hidden, login, password: 'not the password' }
      const { statusCode, body } = await visitor.post('/users/sign_in', form)
      answers.push([statusCode, /<p role="alert">(.*)<\/p>/.exec(body)?.[1]])
    }
    expect(answers).toEqual([
      [401, 'Invalid login or password.'],
      [401, 'Invalid login or password.'],
    ])
  })
})

describe('POST /oauth/token', () => {
  it('changes a code for a pair of tokens', async () => {
    const application = await register({ scopes: 'api' })
    const code = await codeFor(await signedIn(), application)
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: back,
      ...idOf(application),
    }
    const answer = await token(form)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'Bearer',
      expires_in: 7200,
      refresh_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      scope: 'api',
      created_at: Math.floor(world.app.clock.now().getTime() / 1000),
    })
    const stored = await world.app.db.selectFrom('oauth_tokens').selectAll().execute()
    const { access_token, refresh_token } = answer.json()
    expect(JSON.stringify(stored)).not.toMatch(new RegExp(`${access_token}|${refresh_token}`))
    expect(JSON.stringify(world.app.log)).not.toMatch(
      new RegExp(`${access_token}|${refresh_token}|${code}|${application.secret}`),
    )
  })

  it('takes JSON, and the client by Basic', async () => {
    const application = await register({ scopes: 'api' })
    const code = await codeFor(await signedIn(), application)
    const basic = `${application.application_id}:${application.secret}`
    const answer = await world.app.server.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: {
        host: 'bloomery.test',
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
      },
      payload: JSON.stringify({ grant_type: 'authorization_code', code, redirect_uri: back }),
    })
    expect(answer.statusCode).toBe(200)
  })

  it('ends what a code was changed for when the code comes again', async () => {
    const application = await register({ scopes: 'api' })
    const code = await codeFor(await signedIn(), application)
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: back,
      ...idOf(application),
    }
    const { access_token, refresh_token } = (await token(form)).json()
    expect((await user(access_token)).statusCode).toBe(200)
    const again = await token(form)
    expect([again.statusCode, again.json()]).toEqual([400, refusedGrant])
    const gone = await user(access_token)
    expect([gone.statusCode, gone.json()]).toEqual([
      401,
      {
        error: 'invalid_token',
        error_description: 'Token was revoked. You have to re-authorize from the user.',
      },
    ])
    const refresh = { grant_type: 'refresh_token', refresh_token, ...idOf(application) }
    expect((await token(refresh)).json()).toEqual(refusedGrant)
  })

  it('lets one of many have a code, and then nobody what came of it', async () => {
    const application = await register({ scopes: 'api' })
    const code = await codeFor(await signedIn(), application)
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: back,
      ...idOf(application),
    }
    const answers = await Promise.all(Array.from({ length: 5 }, () => token(form)))
    const got = answers.filter(({ statusCode }) => statusCode === 200)
    expect(got.length).toBe(1)
    expect((await user(got[0]?.json().access_token)).statusCode).toBe(401)
  })

  it('binds a code to its client, address, challenge and time', async () => {
    const application = await register({ scopes: 'api', redirect_uri: `${back}\n${back}/2` })
    const other = await register({ scopes: 'api' })
    const visitor = await signedIn()
    const fresh = () =>
      codeFor(visitor, application, { code_challenge: challenge, code_challenge_method: 'S256' })
    const good = { grant_type: 'authorization_code', redirect_uri: back, code_verifier: verifier }
    for (const wrong of [
      idOf(other),
      { redirect_uri: `${back}/2` },
      { code_verifier: 'w'.repeat(43) },
      { code_verifier: '' },
      { code_verifier: challenge },
      { code: 'f'.repeat(64) },
    ]) {
      const answer = await token({ ...good, ...idOf(application), code: await fresh(), ...wrong })
      expect([answer.statusCode, answer.json()]).toEqual([400, refusedGrant])
    }
    const late = await fresh()
    world.app.clock.advance(10 * 60_000)
    expect((await token({ ...good, ...idOf(application), code: late })).statusCode).toBe(400)
    const plain = await codeFor(visitor, application, { code_challenge: verifier })
    const proven = await token({ ...good, ...idOf(application), code: plain })
    expect(proven.statusCode).toBe(200)
    // A challenge that somebody took out of the request.
    const stripped = await codeFor(visitor, application)
    const answer = await token({ ...good, ...idOf(application), code: stripped })
    expect(answer.json()).toEqual(refusedGrant)
  })

  it('lets an application without a secret have tokens by its id and a verifier', async () => {
    const application = await register({ confidential: false, scopes: 'api' })
    const { application_id: client_id } = application
    const more = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await codeFor(await signedIn(), application, more)
    const form = { grant_type: 'authorization_code', code, redirect_uri: back, client_id }
    const answer = await token({ ...form, code_verifier: verifier })
    expect(answer.statusCode).toBe(200)
    const next = { grant_type: 'refresh_token', refresh_token: answer.json().refresh_token }
    expect((await token({ ...next, client_id })).statusCode).toBe(200)
  })

  it('puts a new pair in place of the old, and ends all when an old one comes again', async () => {
    const application = await register({ scopes: 'api read_user' })
    const first = await pairFor(await signedIn(), application)
    world.app.clock.advance(3 * 60 * 60_000)
    const expired = await user(first.access_token)
    expect([expired.statusCode, expired.json().error_description]).toEqual([
      401,
      'Token is expired. You can either do re-authorization or token refresh.',
    ])
    const refresh = (refresh_token: string, more = {}) =>
      token({ grant_type: 'refresh_token', refresh_token, ...idOf(application), ...more })
    const second = await refresh(first.refresh_token, { scope: 'read_user' })
    expect(second.statusCode).toBe(200)
    expect(second.json().scope).toBe('read_user')
    const wider = await refresh(second.json().refresh_token, { scope: 'api' })
    expect(wider.json().error).toBe('invalid_scope')
    const foreign = await token({
      grant_type: 'refresh_token',
      refresh_token: second.json().refresh_token,
      ...idOf(await register()),
    })
    expect(foreign.json()).toEqual(refusedGrant)
    expect((await user(second.json().access_token)).statusCode).toBe(200)
    expect((await refresh(first.refresh_token)).json()).toEqual(refusedGrant)
    expect((await user(second.json().access_token)).statusCode).toBe(401)
    expect((await refresh(second.json().refresh_token)).json()).toEqual(refusedGrant)
  })

  it('lets one of many refresh', async () => {
    const application = await register({ scopes: 'api' })
    const { refresh_token } = await pairFor(await signedIn(), application)
    const form = { grant_type: 'refresh_token', refresh_token, ...idOf(application) }
    const answers = await Promise.all(Array.from({ length: 5 }, () => token(form)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400, 400])
  })

  it.each([
    [
      {},
      400,
      { error: 'invalid_request', error_description: 'Missing required parameter: grant_type.' },
    ],
    [
      { grant_type: 'constructor' },
      400,
      {
        error: 'unsupported_grant_type',
        error_description:
          'The authorization grant type is not supported by the authorization server.',
      },
    ],
    [{ grant_type: 'authorization_code', code: 'x', redirect_uri: back }, 401, refusedClient],
    [{ grant_type: 'authorization_code', client_id: 'x' }, 401, refusedClient],
    [
      { grant_type: 'password', username: 'x' },
      400,
      { error: 'invalid_request', error_description: 'Missing required parameter: password.' },
    ],
    [{ grant_type: 'password', username: 'x', password: 'y' }, 400, refusedGrant],
    [{ grant_type: 'refresh_token', refresh_token: 'x' }, 401, refusedClient],
    [{ grant_type: 'client_credentials' }, 401, refusedClient],
  ])('answers %j with %i', async (form, status, body) => {
    const answer = await token(form)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['www-authenticate'] !== undefined).toBe(status === 401)
  })

  it('asks a confidential application for its secret', async () => {
    const application = await register()
    const { application_id: client_id } = application
    for (const client_secret of ['', 'x', 'f'.repeat(64)]) {
      const form = { grant_type: 'client_credentials', client_id, client_secret }
      const answer = await token(form)
      expect([answer.statusCode, answer.json()]).toEqual([401, refusedClient])
    }
    const renewed = await world.as('admin').post(`/applications/${application.id}/renew-secret`)
    const old = await token({ grant_type: 'client_credentials', ...idOf(application) })
    expect(old.statusCode).toBe(401)
    const form = { grant_type: 'client_credentials', ...idOf(renewed.json()) }
    expect((await token(form)).statusCode).toBe(200)
  })

  it('changes a password where that is enough to sign in', async () => {
    const { user: person } = await newPasswordUser(world)
    const form = { grant_type: 'password', username: person.email, password: testPassword }
    const answer = await token(form)
    expect(answer.statusCode).toBe(200)
    const { access_token, refresh_token, scope } = answer.json()
    expect(scope).toBe('api')
    expect((await user(access_token)).json().id).toBe(person.id)
    expect((await token({ grant_type: 'refresh_token', refresh_token })).statusCode).toBe(200)
    const guarded = await newPasswordUser(world, { two_factor_enabled: true })
    const refused = await token({ ...form, username: guarded.user.username })
    expect([refused.statusCode, refused.json()]).toEqual([400, refusedGrant])
  })

  it('gives an application a token of its own, which stands for nobody', async () => {
    const application = await register({ scopes: 'api' })
    const answer = await token({ grant_type: 'client_credentials', ...idOf(application) })
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'Bearer',
      expires_in: 7200,
      scope: 'api',
      created_at: expect.any(Number),
    })
    expect((await user(answer.json().access_token)).statusCode).toBe(401)
    const open = await register({ confidential: false })
    const { application_id: client_id } = open
    const refused = await token({ grant_type: 'client_credentials', client_id })
    expect([refused.statusCode, refused.json().error]).toEqual([401, 'unauthorized_client'])
  })

  it('takes nothing from the address', async () => {
    const application = await register()
    const query = new URLSearchParams({ grant_type: 'client_credentials', ...idOf(application) })
    const answer = await request(`/oauth/token?${query}`)
    expect(answer.statusCode).toBe(400)
  })
})

describe('an access token', () => {
  it('is good wherever a personal access token is, as far as its scopes reach', async () => {
    const application = await register({ scopes: 'read_user openid' })
    const { access_token } = await pairFor(await signedIn(), application)
    const app = world.app.client()
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await app.get('/user', { headers })).statusCode).toBe(200)
    expect((await app.get(`/user?access_token=${access_token}`)).statusCode).toBe(200)
    expect(
      (await app.get('/user', { headers: { 'private-token': access_token } })).statusCode,
    ).toBe(200)
    const refused = await app.get('/projects', { headers })
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'insufficient_scope'])
    const named = await register({ scopes: 'openid profile email' })
    const known = await pairFor(await signedIn(), named)
    expect((await user(known.access_token)).statusCode).toBe(403)
  })

  it('fetches by git under the name oauth2, until it is revoked', async () => {
    const project = await world.newProject({ files: { 'a.txt': 'a' } })
    const { user: person } = await newPasswordUser(world)
    const maintainer = world.as('owner')
    const member = { user_id: person.id, access_level: 30 }
    await maintainer.post(`/projects/${project.id}/members`, member)
    const application = await register({ scopes: 'read_repository' })
    const { access_token } = await pairFor(await signedIn(person), application)
    const advertise = (service: string) =>
      request(`/${project.full_path}.git/info/refs?service=${service}`, {
        method: 'GET',
        headers: {
          authorization: `Basic ${Buffer.from(`oauth2:${access_token}`).toString('base64')}`,
        },
      })
    expect((await advertise('git-upload-pack')).statusCode).toBe(200)
    expect((await advertise('git-receive-pack')).statusCode).toBe(403)
    const form = { token: access_token, ...idOf(application) }
    expect((await request('/oauth/revoke', { form })).statusCode).toBe(200)
    expect((await advertise('git-upload-pack')).statusCode).toBe(401)
  })

  it('stands for nobody once its user is blocked', async () => {
    const { user: person } = await newPasswordUser(world)
    const application = await register({ scopes: 'api openid' })
    const pair = await pairFor(await signedIn(person), application)
    await world.as('admin').post(`/users/${person.id}/block`)
    expect((await user(pair.access_token)).statusCode).toBe(403)
    const form = { grant_type: 'refresh_token', refresh_token: pair.refresh_token }
    expect((await token({ ...form, ...idOf(application) })).json()).toEqual(refusedGrant)
    const headers = { authorization: `Bearer ${pair.access_token}` }
    const info = await request('/oauth/userinfo', { method: 'GET', headers })
    expect(info.statusCode).toBe(401)
  })

  it('is asked again before a reference moves', async () => {
    const { user: person } = await newPasswordUser(world)
    const application = await register({ scopes: 'api' })
    const { access_token } = await pairFor(await signedIn(person), application)
    const { db, clock } = world.app
    const actor = await authenticateByToken(db, clock.now, access_token)
    const uses = { db, clock: clock.now }
    expect(await reloadActor(uses, actor)).toMatchObject({ user: { id: person.id } })
    await request('/oauth/revoke', { form: { token: access_token, ...idOf(application) } })
    expect(await reloadActor(uses, actor)).toEqual({ kind: 'revoked' })
  })

  it('makes no other tokens, and is no personal access token', async () => {
    const application = await register({ scopes: 'api' })
    const { access_token } = await pairFor(await signedIn(), application)
    const headers = { authorization: `Bearer ${access_token}` }
    const app = world.app.client()
    const body = { name: 't', scopes: ['api'] }
    const made = await app.post('/user/personal_access_tokens', body, { headers })
    expect([made.statusCode, made.json()]).toEqual([422, { message: 'Not permitted to create' }])
    const own = await app.get('/personal_access_tokens/self', { headers })
    expect(own.statusCode).toBe(400)
  })
})

describe('POST /oauth/revoke', () => {
  it('ends a pair by either of its tokens, and says nothing of what is none', async () => {
    const application = await register({ scopes: 'api' })
    const visitor = await signedIn()
    for (const name of ['access_token', 'refresh_token'] as const) {
      const pair = await pairFor(visitor, application)
      const form = { token: pair[name], ...idOf(application) }
      for (const _ of [1, 2]) {
        const answer = await request('/oauth/revoke', { form })
        expect([answer.statusCode, answer.json()]).toEqual([200, {}])
      }
      expect((await user(pair.access_token)).statusCode).toBe(401)
    }
    const unknown = await request('/oauth/revoke', { form: { token: 'x', ...idOf(application) } })
    expect([unknown.statusCode, unknown.json()]).toEqual([200, {}])
  })

  it('ends no token of another application', async () => {
    const pair = await pairFor(await signedIn(), await register({ scopes: 'api' }))
    for (const who of [idOf(await register()), {}]) {
      const answer = await request('/oauth/revoke', { form: { token: pair.access_token, ...who } })
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        {
          error: 'unauthorized_client',
          error_description: 'You are not authorized to revoke this token',
        },
      ])
    }
    expect((await user(pair.access_token)).statusCode).toBe(200)
  })
})

describe('what a user has allowed', () => {
  it('is listed to them, and ended by them alone', async () => {
    const person = await newPasswordUser(world)
    const application = await register({ scopes: 'api read_user' })
    const visitor = await signedIn(person.user)
    await pairFor(visitor, application, { scope: 'api' })
    const pair = await pairFor(visitor, application, { scope: 'read_user' })
    const { client: own } = person
    expect((await own.get('/user/authorized_applications')).json()).toEqual([
      {
        id: application.id,
        name: 'Prober',
        scopes: ['read_user'],
        last_authorized_at: world.app.clock.now().toISOString(),
      },
    ])
    const waiting = await codeFor(visitor, application, { scope: 'read_user' })
    const other = await register({ scopes: 'api' })
    const kept = await pairFor(visitor, other, { scope: 'api' })
    const keptCode = await codeFor(visitor, other, { scope: 'api' })
    const path = `/user/authorized_applications/${application.id}`
    const foreign = await world.as('owner').delete(path)
    expect([foreign.statusCode, foreign.json()]).toEqual([
      404,
      { message: '404 Application Not Found' },
    ])
    expect((await world.as('anonymous').delete(path)).statusCode).toBe(401)
    expect((await own.delete(path)).statusCode).toBe(204)
    expect((await user(pair.access_token)).statusCode).toBe(401)
    const form = { grant_type: 'authorization_code', code: waiting, redirect_uri: back }
    expect((await token({ ...form, ...idOf(application) })).json()).toEqual(refusedGrant)
    const left = (await own.get('/user/authorized_applications')).json()
    expect(left.map(({ id }: { id: number }) => id)).toEqual([other.id])
    expect((await own.delete(path)).statusCode).toBe(404)
    expect((await user(kept.access_token)).statusCode).toBe(200)
    const keptForm = { ...form, code: keptCode, ...idOf(other) }
    expect((await token(keptForm)).statusCode).toBe(200)
    const asked = await visitor.get(authorizeUrl(application, { scope: 'read_user' }))
    expect(asked.statusCode).toBe(200)
  })
})

describe('what is told of tokens', () => {
  it('GET /oauth/token/info tells who holds one', async () => {
    const { user: person } = await newPasswordUser(world)
    const application = await register({ scopes: 'api' })
    const { access_token } = await pairFor(await signedIn(person), application)
    world.app.clock.advance(10_000)
    const body = {
      resource_owner_id: person.id,
      scope: ['api'],
      expires_in: 7190,
      application: { uid: application.application_id },
      created_at: Math.floor(world.app.clock.now().getTime() / 1000) - 10,
      scopes: ['api'],
      expires_in_seconds: 7190,
    }
    const headers = { authorization: `Bearer ${access_token}` }
    for (const answer of [
      await request('/oauth/token/info', { method: 'GET', headers }),
      await request(`/oauth/token/info?access_token=${access_token}`, { method: 'GET' }),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([200, body])
    }
    const bad = await request('/oauth/token/info?access_token=x', { method: 'GET' })
    expect([bad.statusCode, bad.json().error]).toEqual([400, 'invalid_request'])
  })

  it('POST /oauth/introspect tells an application of its own', async () => {
    const application = await register({ scopes: 'api' })
    const { user: person } = await newPasswordUser(world)
    const { access_token } = await pairFor(await signedIn(person), application)
    const ask = async (form: object) => (await request('/oauth/introspect', { form })).json()
    const now_s = Math.floor(world.app.clock.now().getTime() / 1000)
    expect(await ask({ token: access_token, ...idOf(application) })).toEqual({
      active: true,
      scope: 'api',
      client_id: application.application_id,
      token_type: 'Bearer',
      exp: now_s + 7200,
      iat: now_s,
      iss: origin,
      sub: String(person.id),
      username: person.username,
    })
    const other = { token: access_token, ...idOf(await register()) }
    expect(await ask(other)).toEqual({ active: false })
    expect(await ask({ token: 'x', ...idOf(application) })).toEqual({ active: false })
    expect(await ask({ token: access_token })).toEqual(refusedClient)
  })
})

describe('OpenID Connect', () => {
  it('tells who a user is, to whom may know', async () => {
    const { user: person } = await newPasswordUser(world)
    const group = await world.newMemberedGroup()
    await world
      .as('owner')
      .post(`/groups/${group.id}/members`, { user_id: person.id, access_level: 40 })
    const visitor = await signedIn(person)
    const info = async (scope: string, method: 'GET' | 'POST' = 'GET') => {
      const { access_token } = await pairFor(visitor, await register(), { scope })
      const headers = { authorization: `Bearer ${access_token}` }
      return request('/oauth/userinfo', { method, headers })
    }
    const told = {
      sub: String(person.id),
      sub_legacy: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: person.name,
      nickname: person.username,
      preferred_username: person.username,
      email: person.email,
      email_verified: true,
      profile: `${origin}/${person.username}`,
      picture: null,
      groups: [group.full_path],
      'https://gitlab.org/claims/groups/maintainer': [group.full_path],
    }
    expect((await info('openid email')).json()).toEqual(told)
    expect((await info('openid email', 'POST')).json()).toEqual(told)
    expect((await info('openid')).json().email).toBeUndefined()
    const refused = await info('api')
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'insufficient_scope'])
    const unknown = await request('/oauth/userinfo', { method: 'GET' })
    expect(unknown.statusCode).toBe(401)
    expect(unknown.headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_token"/)
  })

  it('has the documents by which clients find it', async () => {
    const get = async (url: string) => (await request(url, { method: 'GET' })).json()
    const document = await get('/.well-known/openid-configuration')
    expect(await get('/.well-known/oauth-authorization-server')).toEqual(document)
    expect(document).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      jwks_uri: `${origin}/oauth/discovery/keys`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['plain', 'S256'],
    })
    const { keys } = await get('/oauth/discovery/keys')
    const text = expect.any(String)
    const key = { kty: 'RSA', kid: text, e: 'AQAB', n: text, use: 'sig', alg: 'RS256' }
    expect(keys).toEqual([key])
    expect(await get('/-/jwks')).toEqual({ keys })
    const stored = await world.app.db.selectFrom('signing_keys').selectAll().execute()
    expect(stored.map(({ kid }) => kid)).toEqual([keys[0].kid])
    expect(stored[0]?.private_key).not.toContain('PRIVATE')
    const resource = 'acct:somebody@bloomery.test'
    expect(await get(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)).toEqual({
      subject: resource,
      links: [{ rel: 'http://openid.net/specs/connect/1.0/issuer', href: origin }],
    })
  })

  it('lets pages of other sites ask, without their cookies', async () => {
    for (const path of [
      '/oauth/token',
      '/oauth/revoke',
      '/oauth/userinfo',
      '/oauth/discovery/keys',
    ]) {
      const headers = { origin: 'https://spa.example.test', host: 'bloomery.test' }
      const answer = await world.app.server.inject({ method: 'OPTIONS', url: path, headers })
      expect(answer.statusCode).toBe(204)
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'Authorization, Content-Type, Accept',
      })
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
    const page = await request('/users/sign_in', {
      method: 'GET',
      headers: { origin: 'https://spa.example.test' },
    })
    expect(page.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('a device without a browser', () => {
  const poll = (application: Registered, device_code: string) =>
    token({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code,
      client_id: application.application_id,
    })

  async function begin() {
    const application = await register({ confidential: false, scopes: 'api' })
    const form = { client_id: application.application_id, scope: 'api' }
    const answer = await request('/oauth/authorize_device', { form })
    expect(answer.statusCode).toBe(200)
    return { application, begun: answer.json() }
  }

  it('is let in by a code that its user types', async () => {
    const { application, begun } = await begin()
    const { device_code, user_code } = begun
    expect(begun).toEqual({
      device_code: expect.stringMatching(/^[0-9a-f]{64}$/),
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${origin}/oauth/device`,
      verification_uri_complete: `${origin}/oauth/device?user_code=${user_code}`,
      expires_in: 300,
      interval: 5,
    })
    expect((await poll(application, device_code)).json().error).toBe('authorization_pending')
    expect((await poll(application, device_code)).json().error).toBe('slow_down')
    const { user: person } = await newPasswordUser(world)
    const visitor = await signedIn(person)
    const page = await visitor.get(begun.verification_uri_complete)
    expect(page.body).toContain(`value="${user_code}"`)
    const { hidden } = formOf(page)
    const typed = user_code.toLowerCase().replace('-', ' ')
    const consent = await visitor.post('/oauth/device', { ...hidden, user_code: typed })
    expect(titleOf(consent)).toBe('Authorize Prober to use your account?')
    expect((await poll(application, device_code)).json().error).toBe('slow_down')
    const forged = { ...formOf(consent).hidden, authenticity_token: 'x', decision: 'allow' }
    expect((await visitor.post('/oauth/device', forged)).statusCode).toBe(403)
    const allowed = { ...formOf(consent).hidden, decision: 'allow' }
    expect(titleOf(await visitor.post('/oauth/device', allowed))).toBe('Device authorized')
    expect((await visitor.post('/oauth/device', allowed)).statusCode).toBe(400)
    const done = await poll(application, device_code)
    expect((await user(done.json().access_token)).json().id).toBe(person.id)
    expect((await poll(application, device_code)).json()).toEqual(refusedGrant)
  })

  it('is let in no more once its user has ended what they allowed', async () => {
    const { application, begun } = await begin()
    const person = await newPasswordUser(world)
    const visitor = await signedIn(person.user)
    const { hidden } = formOf(await visitor.get('/oauth/device'))
    const { user_code, device_code } = begun
    await visitor.post('/oauth/device', { ...hidden, user_code, decision: 'allow' })
    const path = `/user/authorized_applications/${application.id}`
    expect((await person.client.delete(path)).statusCode).toBe(204)
    expect((await poll(application, device_code)).json()).toEqual(refusedGrant)
  })

  it('is told of a no, and that its code has run out', async () => {
    const { application, begun } = await begin()
    const visitor = await signedIn()
    const { hidden } = formOf(await visitor.get('/oauth/device'))
    const { user_code, device_code } = begun
    await visitor.post('/oauth/device', { ...hidden, user_code, decision: 'deny' })
    expect((await poll(application, device_code)).json().error).toBe('access_denied')
    const other = await begin()
    expect((await poll(application, other.begun.device_code)).json()).toEqual(refusedGrant)
    world.app.clock.advance(300_000)
    const late = await poll(other.application, other.begun.device_code)
    expect(late.json().error).toBe('expired_token')
    const form = { ...hidden, user_code: other.begun.user_code, decision: 'allow' }
    expect((await visitor.post('/oauth/device', form)).statusCode).toBe(400)
  })
})

describe('the plain pages, to somebody who reads German,', () => {
  const german = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' }
  /** Words of the English pages that no German sentence has. */
  const english =
    /\b(?:a|and|any|are|authorize|by|can|code is|continue|denied|deny|from|has|have|is|not|of|or|read|sign|the|this|to|try|username|with|write|you|your)\b/i

  /** Somebody at a browser whose preferences say German, signed in unless said otherwise. */
  async function newReader({ isSignedIn = true } = {}): Promise<Visitor> {
    const visitor = isSignedIn ? await signedIn() : newVisitor(world.app)
    visitor.cookies.set('bloomery_language', 'de')
    return visitor
  }

  /** What a page shows, checked to be German: status, heading, and the rest, a line to each text. */
  function readGerman(answer: { statusCode: number; body: string }) {
    expect(answer.body).toContain('<html lang="de">')
    const [, main = ''] = /<main>\n<h1>.*<\/h1>\n(.*)<\/main>/s.exec(answer.body) ?? []
    const title = titleOf(answer)
    const texts = main.split(/\n|<(?:input|p|li|label|button)\b[^>]*>/).flatMap((line) => {
      const text = line.replace(/<[^>]+>/g, '').trim()
      return text === '' ? [] : [text]
    })
    expect(answer.body).toContain(`<title>${title} - Bloomery</title>`)
    expect([title, ...texts].join('\n')).not.toMatch(english)
    return [answer.statusCode, title, ...texts]
  }

  const signInTexts = ['Benutzername oder E-Mail', 'Passwort', 'Anmelden']

  it('sign somebody in', async () => {
    const { user: person } = await newPasswordUser(world, { two_factor_enabled: true })
    const asked = await request('/users/sign_in', { method: 'GET', headers: german })
    expect(readGerman(asked)).toEqual([200, 'Anmelden', ...signInTexts])
    const visitor = await newReader({ isSignedIn: false })
    const { hidden } = formOf(await visitor.get('/users/sign_in'))
    const form = { ...hidden, login: person.username, password: testPassword }
    const post = async (more: Record<string, string> = {}) =>
      readGerman(await visitor.post('/users/sign_in', { ...form, ...more }))
    expect(await post({ authenticity_token: 'x' })).toEqual([
      403,
      'Anmelden',
      'Diese Seite ist abgelaufen. Versuchen Sie es erneut.',
      ...signInTexts,
    ])
    expect(await post({ password: 'not the password' })).toEqual([
      401,
      'Anmelden',
      'Benutzername oder Passwort ungültig.',
      ...signInTexts,
    ])
    expect(await post()).toEqual([
      401,
      'Anmelden',
      'Geben Sie Ihr Passwort erneut ein, dazu einen Code aus Ihrer Authenticator-App oder einen Wiederherstellungscode.',
      'Benutzername oder E-Mail',
      'Passwort',
      'Bestätigungscode oder Wiederherstellungscode',
      'Anmelden',
    ])
    const [otp = ''] = await replaceRecoveryCodesWithNew(world.app.db, person.id)
    const signedInTexts = ['Sie sind angemeldet', `Benutzername: ${person.username}`]
    expect(await post({ otp })).toEqual([200, ...signedInTexts])
  })

  it.each([
    [{ state: 'blocked' }, 'Ihr Konto wurde gesperrt.'],
    [
      { state: 'blocked_pending_approval' },
      'Ihr Konto ist noch nicht freigegeben. Sie können es verwenden, sobald die Administration es freigibt.',
    ],
    [
      { confirmed_at: null },
      'Ihre primäre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Bestätigungslink, den Sie per E-Mail erhalten haben.',
    ],
  ] as const)('do not sign in an account with %j', async (fields, text) => {
    const { user: person } = await newPasswordUser(world, fields)
    const visitor = await newReader({ isSignedIn: false })
    const { hidden } = formOf(await visitor.get('/users/sign_in'))
    const form = { ...hidden, login: person.username, password: testPassword }
    const refused = await visitor.post('/users/sign_in', form)
    expect(readGerman(refused)).toEqual([403, 'Anmelden', text, ...signInTexts])
  })

  it('name too many failed sign-ins of an address', async () => {
    const visitor = await newReader({ isSignedIn: false })
    const { hidden } = formOf(await visitor.get('/users/sign_in'))
    const guess = (headers: Record<string, string>) =>
      world.app.server.inject({
        method: 'POST',
        url: '/users/sign_in',
        remoteAddress: '203.0.113.98',
        headers: {
          ...headers,
          host: 'bloomery.test',
          'content-type': 'application/x-www-form-urlencoded',
          cookie: `bloomery_form=${visitor.cookies.get('bloomery_form')}`,
        },
        payload: new URLSearchParams({ ...hidden, login: 'nobody', password: 'x' }).toString(),
      })
    for (let i = 0; i < 20; i++) expect((await guess(german)).statusCode).toBe(401)
    expect((await guess({})).body).toContain(
      'Too many failed sign-ins from your IP address. Try again in a few minutes.',
    )
    expect(readGerman(await guess(german))).toEqual([
      403,
      'Anmelden',
      'Zu viele fehlgeschlagene Anmeldungen von Ihrer IP-Adresse. Versuchen Sie es in einigen Minuten erneut.',
      ...signInTexts,
    ])
  })

  it.each([
    [{ state: 'blocked' }, 'Ihr Konto wurde gesperrt.'],
    [
      { state: 'deactivated' },
      'Ihr Konto wurde von der Administration deaktiviert. Melden Sie sich erneut an, um es wieder zu aktivieren.',
    ],
    [
      { password_expires_at: '2000-01-01T00:00:00.000Z' },
      'Ihr Passwort ist abgelaufen. Legen Sie in Ihren Benutzereinstellungen ein neues fest und versuchen Sie es dann erneut.',
    ],
  ] as const)('ask nothing of a signed-in account that got %j', async (fields, text) => {
    const { user: person } = await newPasswordUser(world)
    const visitor = await signedIn(person)
    visitor.cookies.set('bloomery_language', 'de')
    await world.app.db.updateTable('users').set(fields).where('id', '=', person.id).execute()
    for (const url of [authorizeUrl(await register()), '/oauth/device']) {
      const page = readGerman(await visitor.get(url))
      expect(page).toEqual([403, 'Ihr Konto kann nicht verwendet werden', text])
    }
    visitor.cookies.set('bloomery_language', 'en')
    const page = await visitor.get('/oauth/device')
    expect([page.statusCode, titleOf(page)]).toEqual([403, 'Your account cannot be used'])
    expect(page.body).toMatch(/<p role="alert">Your (?:account|password) has .+\.<\/p>/)
  })

  it('say what an application asks for, scope by scope', async () => {
    const scopes =
      'api read_user read_api read_repository write_repository read_registry write_registry sudo openid profile email'
    const application = await register({ scopes })
    const { user: person } = await newPasswordUser(world)
    const visitor = await signedIn(person)
    visitor.cookies.set('bloomery_language', 'de')
    const page = await visitor.get(authorizeUrl(application, { scope: scopes }))
    expect(readGerman(page)).toEqual([
      200,
      'Darf Prober auf Ihr Konto zugreifen?',
      `Sie sind als ${person.username} angemeldet. Prober bittet um folgende Berechtigungen:`,
      'Alles lesen und ändern, worauf Sie Zugriff haben (api)',
      'Ihr Benutzerprofil lesen (read_user)',
      'Alles lesen, worauf Sie Zugriff haben (read_api)',
      'Aus Repositorys pullen (read_repository)',
      'Aus Repositorys pullen und in sie pushen (write_repository)',
      'Container-Images lesen (read_registry)',
      'Container-Images schreiben (write_registry)',
      'Als beliebiger Benutzer handeln (nur Administratoren) (sudo)',
      'Ihre Identität bestätigen (openid)',
      'Ihren Namen, Ihren Avatar und Ihre Gruppen lesen (profile)',
      'Ihre E-Mail-Adresse lesen (email)',
      'Erlauben Sie den Zugriff nur, wenn Sie dieser Anwendung vertrauen und ihn gerade selbst dort angefordert haben.',
      'Danach werden Sie zu https://app.example.test weitergeleitet.',
      'Zugriff erlauben',
      'Ablehnen',
    ])
    const { hidden } = formOf(page)
    const stale = { ...hidden, authenticity_token: 'x', decision: 'allow' }
    expect(readGerman(await visitor.post('/oauth/authorize', stale))).toEqual([
      403,
      'Diese Seite ist abgelaufen',
      'Beginnen Sie in der Anwendung, die Sie hierher geleitet hat, noch einmal.',
    ])
    // What the application is told is for whoever wrote it.
    const denied = await visitor.post('/oauth/authorize', { ...hidden, decision: 'deny' })
    expect(carried(denied).error_description).toBe(
      'The resource owner or authorization server denied the request.',
    )
  })

  it.each([
    [
      { client_id: 'f'.repeat(64) },
      'Auf diesem Server ist keine Anwendung mit dieser ID registriert.',
    ],
    [
      { redirect_uri: 'https://evil.test' },
      'Die angegebene Weiterleitungs-URI ist ungültig oder nicht für diese Anwendung registriert.',
    ],
  ])('say why a request with %j leads nowhere', async (more, text) => {
    const url = authorizeUrl(await register(), more as Record<string, string>)
    expect(readGerman(await (await newReader()).get(url))).toEqual([
      400,
      'Fehler in der Anfrage der Anwendung',
      text,
    ])
  })

  const redirect_uri = 'urn:ietf:wg:oauth:2.0:oob'

  it('show a code to programs that nothing can be sent to', async () => {
    const application = await register({ redirect_uri, trusted: true })
    const page = await (await newReader()).get(authorizeUrl(application, { redirect_uri }))
    expect(readGerman(page)).toEqual([
      200,
      'Autorisierungscode',
      'Kopieren Sie diesen Code in die Anwendung:',
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ])
  })

  it.each([
    [
      { response_type: '' },
      'In der Anfrage der Anwendung fehlt ein Parameter, oder ein Parameter ist ungültig. (invalid_request)',
    ],
    [
      { response_type: 'token' },
      'Der Server unterstützt den angeforderten Antworttyp nicht. (unsupported_response_type)',
    ],
    [
      { scope: 'sudo' },
      'Die Anwendung hat Scopes angefordert, die es nicht gibt oder die ihr nicht erlaubt sind. (invalid_scope)',
    ],
    [
      { request: 'x' },
      'Der Server unterstützt den Parameter request nicht. (request_not_supported)',
    ],
    [{ prompt: 'none' }, 'Sie müssen dem Zugriff zuerst zustimmen. (consent_required)'],
    [{ prompt: 'none', max_age: '0' }, 'Sie müssen sich zuerst anmelden. (login_required)'],
  ])('say why a request with %j to show a code failed', async (more, text) => {
    const application = await register({ redirect_uri })
    const url = authorizeUrl(application, { redirect_uri, ...(more as Record<string, string>) })
    const visitor = await newReader()
    world.app.clock.advance(1)
    const page = readGerman(await visitor.get(url))
    expect(page).toEqual([400, 'Autorisierung fehlgeschlagen', text])
  })

  it('let a device in, or not', async () => {
    const application = await register({ confidential: false, scopes: 'api' })
    const { user: person } = await newPasswordUser(world)
    const visitor = await signedIn(person)
    visitor.cookies.set('bloomery_language', 'de')
    const page = await visitor.get('/oauth/device')
    const form = ['Geben Sie den Code ein, den Ihr Gerät anzeigt', 'Weiter']
    expect(readGerman(page)).toEqual([200, 'Gerät autorisieren', ...form])
    const { hidden } = formOf(page)
    const wrong = await visitor.post('/oauth/device', { ...hidden, user_code: 'BBBB-BBBB' })
    expect(readGerman(wrong)).toEqual([
      400,
      'Gerät autorisieren',
      'Dieser Code ist ungültig oder abgelaufen.',
      ...form,
    ])
    const outcomes = []
    for (const decision of ['allow', 'deny']) {
      const begun = await request('/oauth/authorize_device', {
        form: { client_id: application.application_id, scope: 'api' },
      })
      const typed = { ...hidden, user_code: begun.json().user_code }
      expect(readGerman(await visitor.post('/oauth/device', typed))).toEqual([
        200,
        'Darf Prober auf Ihr Konto zugreifen?',
        `Sie sind als ${person.username} angemeldet. Prober bittet um folgende Berechtigungen:`,
        'Alles lesen und ändern, worauf Sie Zugriff haben (api)',
        'Erlauben Sie den Zugriff nur, wenn Sie dieser Anwendung vertrauen und ihn gerade selbst dort angefordert haben.',
        'Zugriff erlauben',
        'Ablehnen',
      ])
      outcomes.push(readGerman(await visitor.post('/oauth/device', { ...typed, decision })))
    }
    expect(outcomes).toEqual([
      [200, 'Zugriff erlaubt', 'Sie können diese Seite schließen.'],
      [200, 'Zugriff abgelehnt', 'Sie können diese Seite schließen.'],
    ])
  })
})

describe('the limits', () => {
  it('count requests by address', async () => {
    const limited = await startApp({
      BLOOMERY_RATE_LIMITS: '{"oauth":{"requests":2,"period_s":60}}',
    })
    const ask = (method: 'GET' | 'POST', url: string) =>
      limited.server.inject({ method, url, headers: { host: 'bloomery.test' } })
    const statuses = [
      (await ask('POST', '/oauth/token')).statusCode,
      (await ask('GET', '/oauth/authorize')).statusCode,
      (await ask('POST', '/oauth/token')).statusCode,
      (await ask('GET', '/oauth/authorize')).statusCode,
    ]
    expect(statuses).toEqual([400, 400, 429, 429])
    await limited.close()
  })

  it('read no large body', async () => {
    expect((await token({ grant_type: 'x'.repeat(40_000) })).statusCode).toBe(413)
  })

  it('keep the newest tokens of a user alone, and count no revoked ones', async () => {
    const application = await register({ scopes: 'api' })
    const [visitor, other] = [await signedIn(), await signedIn()]
    const ofOther = await pairFor(other, application)
    const elsewhere = await pairFor(visitor, await register({ scopes: 'api' }))
    const oldest = await pairFor(visitor, application)
    const { id: _, ...row } = await world.app.db
      .selectFrom('oauth_tokens')
      .selectAll()
      .where('application_id', '=', application.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const insert = (name: string, count: number, revoked_at: string | null = null) => {
      const rows = Array.from({ length: count }, (_one, n) => ({
        ...row,
        scopes: JSON.stringify(row.scopes),
        digest: `${name}-${n}`,
        refresh_digest: `${name}-${n}`,
        revoked_at,
      }))
      return world.app.db.insertInto('oauth_tokens').values(rows).execute()
    }
    const pairs = [oldest, ofOther, elsewhere]
    const statuses = () =>
      Promise.all(pairs.map(async (pair) => (await user(pair.access_token)).statusCode))
    await insert('revoked', 200, world.app.clock.now().toISOString())
    await pairFor(visitor, application)
    expect(await statuses()).toEqual([200, 200, 200])
    await insert('good', 198)
    await pairFor(other, application)
    expect(await statuses()).toEqual([200, 200, 200])
    pairs.push(await pairFor(visitor, application))
    expect(await statuses()).toEqual([401, 200, 200, 200])
  })

  it('forget what ended long ago, and that alone', async () => {
    const application = await register({ scopes: 'api' })
    const { access_token } = await pairFor(await signedIn(), application)
    const lasting = await register({ scopes: 'api' })
    const { refresh_token } = await pairFor(await signedIn(), lasting)
    await request('/oauth/revoke', { form: { token: access_token, ...idOf(application) } })
    // The application's own, which cannot be refreshed.
    await token({ grant_type: 'client_credentials', ...idOf(application) })
    const count = async () =>
      (
        await world.app.db
          .selectFrom('oauth_tokens')
          .select('id')
          .where('application_id', '=', application.id)
          .execute()
      ).length
    const { db, clock } = world.app
    await removeExpiredOauthRows({ db, clock: clock.now })
    expect(await count()).toBe(2)
    clock.advance(31 * 24 * 60 * 60_000)
    const code = await codeFor(await signedIn(), lasting)
    const own = await token({ grant_type: 'client_credentials', ...idOf(lasting) })
    const open = await register({ confidential: false, scopes: 'api' })
    const client_id = open.application_id
    const device = await request('/oauth/authorize_device', { form: { client_id, scope: 'api' } })
    await removeExpiredOauthRows({ db, clock: clock.now })
    expect(await count()).toBe(0)
    const refreshed = await token({
      grant_type: 'refresh_token',
      refresh_token,
      ...idOf(lasting),
    })
    expect(refreshed.statusCode).toBe(200)
    const form = { grant_type: 'authorization_code', code, redirect_uri: back, ...idOf(lasting) }
    expect((await token(form)).statusCode).toBe(200)
    const info = await request('/oauth/token/info', {
      method: 'GET',
      headers: { authorization: `Bearer ${own.json().access_token}` },
    })
    expect(info.statusCode).toBe(200)
    const polled = await token({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.json().device_code,
      client_id,
    })
    expect(polled.json().error).toBe('authorization_pending')
  })
})
