// Who did what is put down with what was done, and only with it.
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, startApp } from '../../../../test/kit/app.ts'
import { newPasswordUser, signInAs, testPassword } from '../../../../test/kit/session.ts'
import { newKeyPair } from '../../../../test/kit/ssh-key.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { expireMemberships } from '../../people/members/member.tasks.ts'
import { replaceLinkToken } from '../../people/outgoing-emails/link-token.ts'
import { removeOldAuditEvents } from './audit-event.tasks.ts'

const day_ms = 24 * 60 * 60_000

let world: World
let last = 0
beforeAll(async () => {
  world = await newWorld()
})
beforeEach(async () => void (await newEvents()))

/** What was put down since the last look. */
async function newEvents() {
  const rows = await world.app.db
    .selectFrom('audit_events')
    .selectAll()
    .where('id', '>', last)
    .orderBy('id')
    .execute()
  last = rows.at(-1)?.id ?? last
  return rows.map(({ id, ...row }) => row)
}

const secret = 'the value nobody may read'
let made = 0
const unique = () => `audited-${++made}`

/** What an Owner does to a project and a group, with the event each leaves. */
describe('of a project or group', () => {
  const at = async (
    kind: 'group' | 'project',
  ): Promise<{
    entity: { entity_type: string; entity_id: number; entity_path: string }
    url: string
  }> => {
    const one =
      kind === 'group'
        ? await world.newMemberedGroup()
        : await world.newProject({ group: world.groups.open, visibility: 'private' })
    const entity_type = kind === 'group' ? 'Group' : 'Project'
    const entity = { entity_type, entity_id: one.id, entity_path: one.full_path }
    return { entity, url: `/${kind}s/${one.id}` }
  }

  type Case = [
    name: string,
    kind: 'group' | 'project',
    steps: [
      method: 'post' | 'put' | 'patch' | 'delete',
      path: string,
      body: object | undefined,
      status: number,
      event: { action: string; [field: string]: unknown },
    ][],
  ]
  const outsider = () => world.users.outsider
  const other = () => world.groups.inside
  const member = { target_type: 'User' }
  const cases: Case[] = [
    ...(['group', 'project'] as const).map(
      (kind): Case => [
        'members',
        kind,
        [
          [
            'post',
            '/members',
            { user_id: ':user', access_level: 30 },
            201,
            { action: 'member_added', ...member, details: { access_level: 30, expires_at: null } },
          ],
          [
            'put',
            '/members/:user',
            { access_level: 20, expires_at: '2027-01-01' },
            200,
            {
              action: 'member_changed',
              ...member,
              details: {
                access_level: 20,
                expires_at: '2027-01-01',
                before: { access_level: 30, expires_at: null },
              },
            },
          ],
          [
            'delete',
            '/members/:user',
            undefined,
            204,
            { action: 'member_removed', ...member, details: { access_level: 20 } },
          ],
        ],
      ],
    ),
    ...(['group', 'project'] as const).map(
      (kind): Case => [
        'shares',
        kind,
        [
          [
            'post',
            '/share',
            { group_id: ':group', group_access: 20 },
            201,
            {
              action: 'share_added',
              target_type: 'Group',
              details: { access_level: 20, expires_at: null },
            },
          ],
          [
            'delete',
            '/share/:group',
            undefined,
            204,
            {
              action: 'share_removed',
              target_type: 'Group',
              details: { access_level: 20, expires_at: null },
            },
          ],
        ],
      ],
    ),
    ...(['group', 'project'] as const).map(
      (kind): Case => [
        'variables, by their keys',
        kind,
        [
          ['post', '/variables', { key: 'K', value: secret }, 201, variable('created')],
          ['put', '/variables/K', { value: `${secret}!` }, 200, variable('changed')],
          ['delete', '/variables/K', undefined, 204, variable('removed')],
        ],
      ],
    ),
    [
      'protections of branches',
      'project',
      [
        [
          'post',
          '/protected_branches',
          { name: 'stable', allow_force_push: true },
          201,
          {
            action: 'branch_protected',
            target_type: 'ProtectedBranch',
            target_details: 'stable',
            details: expect.objectContaining({ allow_force_push: true }),
          },
        ],
        [
          'delete',
          '/protected_branches/stable',
          undefined,
          204,
          {
            action: 'branch_unprotected',
            target_type: 'ProtectedBranch',
            target_details: 'stable',
          },
        ],
      ],
    ],
    [
      'archiving',
      'project',
      [
        ['post', '/archive', undefined, 201, { action: 'project_archived' }],
        ['post', '/unarchive', undefined, 201, { action: 'project_unarchived' }],
      ],
    ],
    [
      'visibility and settings',
      'group',
      [
        [
          'put',
          '',
          { visibility: 'public', default_branch_protection: 0, description: 'unaudited' },
          200,
          {
            action: 'group_changed',
            details: {
              changes: {
                visibility: { from: 'private', to: 'public' },
                default_branch_protection: { from: 2, to: 0 },
              },
            },
          },
        ],
      ],
    ],
    [
      'visibility and features',
      'project',
      [
        [
          'put',
          '',
          { visibility: 'public', forking_access_level: 'disabled', description: 'unaudited' },
          200,
          {
            action: 'project_changed',
            details: {
              changes: {
                visibility: { from: 'private', to: 'public' },
                forking_access_level: { from: 'enabled', to: 'disabled' },
              },
            },
          },
        ],
      ],
    ],
    ['its end', 'project', [['delete', '', undefined, 202, { action: 'project_removed' }]]],
    ['its end', 'group', [['delete', '', undefined, 202, { action: 'group_removed' }]]],
  ]

  function variable(what: string) {
    return {
      action: `variable_${what}`,
      target_type: 'Variable',
      target_details: 'K',
      details: { environment_scope: '*', protected: false, masked: false },
    }
  }

  it.each(cases)('%s of a %s are told, each once', async (_, kind, steps) => {
    const { entity, url } = await at(kind)
    const { owner } = world.users
    const fill = (text: string) =>
      text.replace('":user"', `${outsider().id}`).replace('":group"', `${other().id}`)
    const named: Record<string, object> = {
      User: { target_id: outsider().id, target_details: outsider().username },
      Group: { target_id: other().id, target_details: other().full_path },
    }
    for (const [method, path, body, status, event] of steps) {
      const place = `${url}${path.replace(':user', `${outsider().id}`).replace(':group', `${other().id}`)}`
      const sent = body && JSON.parse(fill(JSON.stringify(body)))
      // Nobody else may, and of that nothing is left.
      const refused = await world.as('guest')[method](place, sent)
      expect([403, 404]).toContain(refused.statusCode)
      expect(await newEvents()).toEqual([])
      const answer = await world.as('owner')[method](place, sent)
      expect(answer.statusCode).toBe(status)
      expect(await newEvents()).toEqual([
        {
          author_id: owner.id,
          author_name: owner.name,
          ip_address: '127.0.0.1',
          ...entity,
          target_type: null,
          target_id: event.target_type ? expect.any(Number) : null,
          target_details: null,
          ...named[String(event.target_type)],
          details: event.details ?? expect.any(Object),
          created_at: world.app.clock.now().toISOString(),
          ...event,
        },
      ])
    }
  })

  it('a move says from where to where, and keeps the name it had', async () => {
    const project = await world.newProject()
    const target = await world.newMemberedGroup()
    const moved = await world
      .as('owner')
      .put(`/projects/${project.id}/transfer`, { namespace: target.full_path })
    expect(moved.statusCode).toBe(200)
    const full_path = { from: project.full_path, to: `${target.full_path}/${project.path}` }
    expect(await newEvents()).toMatchObject([
      { action: 'project_transferred', entity_id: project.id, details: { changes: { full_path } } },
    ])
    const parent = await world.newMemberedGroup()
    const url = `/groups/${target.id}/transfer`
    expect((await world.as('admin').post(url, { group_id: parent.id })).statusCode).toBe(201)
    expect(await newEvents()).toMatchObject([
      {
        action: 'group_transferred',
        entity_id: target.id,
        entity_path: `${parent.full_path}/${target.path}`,
        details: { changes: { full_path: { from: target.full_path } } },
      },
    ])
  })

  it('what ends by itself, or by an address that is confirmed, is told as the server’s', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}`
    const expires_at = '2026-03-03'
    const user_id = outsider().id
    const email = `${unique()}@bloomery.test`
    const owner = world.as('owner')
    await owner.post(`${url}/members`, { user_id, access_level: 30, expires_at })
    await owner.post(`${url}/share`, { group_id: other().id, group_access: 20, expires_at })
    await owner.post(`${url}/invitations`, { email, access_level: 10 })
    await newEvents()
    const { user } = await world.newUser({ email })
    const { db, clock } = world.app
    await expireMemberships({ db, clock: () => new Date(clock.now().getTime() + 3 * day_ms) })
    const server = { author_id: null, author_name: 'Server', ip_address: null }
    const entity = { entity_type: 'Project', entity_id: project.id }
    const events = await newEvents()
    expect(events).toMatchObject([
      { ...server, ...entity, action: 'invitation_accepted', target_id: user.id },
      { ...server, ...entity, action: 'member_expired', target_id: user_id },
      { ...server, ...entity, action: 'share_expired', target_id: other().id },
    ])
  })

  it('a change that is taken back leaves nothing', async () => {
    const project = await world.newProject()
    const taken = await world.newProject()
    // The second of the two is refused after the first was made.
    const body = { visibility: 'public', name: taken.name }
    const answer = await world.as('owner').put(`/projects/${project.id}`, body)
    expect(answer.statusCode).toBe(400)
    const key = { key: 'not a key', value: secret }
    const refused = await world.as('owner').post(`/projects/${project.id}/variables`, key)
    expect(refused.statusCode).toBe(400)
    expect(await newEvents()).toEqual([])
  })
})

describe('of an account', () => {
  it('tokens and keys are told, and what they are is not', async () => {
    const { user, client } = await world.newUser()
    const admin = world.as('admin')
    const token = await client.post('/user/personal_access_tokens', {
      name: 'mine',
      scopes: ['api'],
    })
    const acting = await admin.post(`/users/${user.id}/impersonation_tokens`, {
      name: 'theirs',
      scopes: ['read_api'],
    })
    await client.delete(`/personal_access_tokens/${token.json().id}`)
    const pair = newKeyPair()
    const key = await client.post('/user/keys', { title: 'laptop', key: pair.public })
    await client.delete(`/user/keys/${key.json().id}`)
    await admin.delete(`/users/${user.id}/impersonation_tokens/${acting.json().id}`)
    const entity = { entity_type: 'User', entity_id: user.id, entity_path: user.username }
    const mine = { ...entity, author_id: user.id, target_details: 'mine' }
    const events = await newEvents()
    expect(events).toMatchObject([
      { ...mine, action: 'token_created', details: { scopes: ['api'], impersonation: false } },
      {
        ...entity,
        author_name: 'Administrator',
        action: 'token_created',
        target_details: 'theirs',
        details: { impersonation: true },
      },
      { ...mine, action: 'token_revoked' },
      { ...mine, action: 'ssh_key_added', target_type: 'Key', target_details: 'laptop' },
      { ...mine, action: 'ssh_key_removed', target_details: 'laptop' },
      { ...entity, author_name: 'Administrator', action: 'token_revoked' },
    ])
    const kept = JSON.stringify(events)
    for (const text of [token.json().token, acting.json().token, pair.public.split(' ')[1]]) {
      expect(kept).not.toContain(text)
    }
  })

  it('deploy keys are told where they are enabled', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}/deploy_keys`
    const body = { title: 'robot', key: newKeyPair().public, can_push: true }
    const { id } = (await world.as('owner').post(url, body)).json()
    await world.as('owner').put(`${url}/${id}`, { can_push: false })
    await world.as('owner').delete(`${url}/${id}`)
    const entity = { entity_type: 'Project', entity_id: project.id, target_type: 'DeployKey' }
    expect(await newEvents()).toMatchObject([
      { ...entity, action: 'deploy_key_added', target_id: id, details: { can_push: true } },
      { ...entity, action: 'deploy_key_changed', target_id: id, details: { can_push: false } },
      { ...entity, action: 'deploy_key_removed', target_id: id },
    ])
  })

  it('what administrators do to it is told', async () => {
    const username = unique()
    const admin = world.as('admin')
    const email = `${username}@bloomery.test`
    const body = { username, name: 'N', email, password: testPassword, skip_confirmation: true }
    const { id } = (await admin.post('/users', body)).json()
    await admin.put(`/users/${id}`, { admin: true, bio: 'unaudited' })
    await admin.put(`/users/${id}`, { admin: false, password: `${secret} 1` })
    for (const verb of ['block', 'block', 'unblock', 'ban', 'unban', 'activate']) {
      await admin.post(`/users/${id}/${verb}`)
    }
    await admin.delete(`/users/${id}`)
    const events = await newEvents()
    const is_admin = (from: boolean) => ({ changes: { is_admin: { from, to: !from } } })
    const entity = { author_name: 'Administrator', entity_type: 'User', entity_id: id }
    expect(events).toMatchObject([
      { ...entity, action: 'user_created', entity_path: username, details: { is_admin: false } },
      { ...entity, action: 'user_changed', details: is_admin(false) },
      { ...entity, action: 'user_changed', details: is_admin(true) },
      { ...entity, action: 'password_changed' },
      { ...entity, action: 'user_blocked' },
      { ...entity, action: 'user_unblocked' },
      { ...entity, action: 'user_banned' },
      { ...entity, action: 'user_unbanned' },
      { ...entity, action: 'user_removed', entity_path: username },
    ])
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  it('sign-ins, the password and the second factor are told', async () => {
    const { user } = await newPasswordUser(world)
    const { client } = await signInAs(world, user.username)
    const begun = await client.post('/user/two_factor', { password: testPassword })
    const { secret: shared } = begun.json()
    const totp = new TOTP({ secret: Secret.fromBase32(shared) })
    const code = totp.generate({ timestamp: world.app.clock.now().getTime() })
    const codes = await client.put('/user/two_factor', { code })
    await client.delete('/user/two_factor', { password: testPassword })
    const changed = { current_password: testPassword, password: `${secret} 2` }
    expect((await client.put('/user/password', changed)).statusCode).toBe(204)
    const events = await newEvents()
    const entity = {
      author_id: user.id,
      ip_address: '127.0.0.1',
      entity_type: 'User',
      entity_id: user.id,
    }
    expect(events).toMatchObject([
      { ...entity, action: 'signed_in' },
      { ...entity, action: 'two_factor_enabled' },
      { ...entity, action: 'two_factor_disabled' },
      { ...entity, action: 'password_changed' },
    ])
    const kept = JSON.stringify(events)
    for (const text of [shared, secret, testPassword, ...codes.json().recovery_codes]) {
      expect(kept).not.toContain(text)
    }
  })

  it.each([
    ['PUT', '/api/v4/user/password_reset'],
    ['POST', '/users/password/edit'],
  ] as const)(
    'a password set by a link is told, with from where, by %s %s',
    async (method, url) => {
      const { db, clock, server } = world.app
      const { user } = await newPasswordUser(world)
      const target = { user_id: user.id, purpose: 'reset-password', email: user.email } as const
      const token = await replaceLinkToken(db, clock.now, target)
      const body = new URLSearchParams({ reset_password_token: token, password: `${secret} 3` })
      await server.inject({
        method,
        url,
        remoteAddress: '192.0.2.9',
        headers: { host: 'bloomery.test', 'content-type': 'application/x-www-form-urlencoded' },
        payload: body.toString(),
      })
      const events = await newEvents()
      const who = { author_id: null, author_name: 'Unauthenticated', ip_address: '192.0.2.9' }
      expect(events).toMatchObject([{ ...who, action: 'password_reset', entity_id: user.id }])
      for (const text of [token, secret]) expect(JSON.stringify(events)).not.toContain(text)
    },
  )

  it('of guesses the first is told, and the one that locks it or bars the address', async () => {
    const { user } = await newPasswordUser(world)
    const guess = (login: string, remoteAddress: string) =>
      world.app.server.inject({
        method: 'POST',
        url: '/api/v4/session',
        remoteAddress,
        payload: { login, password: 'a wrong one' },
      })
    for (let n = 0; n < 15; n++) await guess(user.username, '192.0.2.7')
    for (let n = 0; n < 8; n++) await guess('nobody-of-that-name', '192.0.2.7')
    const nobody = { author_id: null, author_name: 'Unauthenticated', ip_address: '192.0.2.7' }
    const entity = { entity_type: 'User', entity_id: user.id, entity_path: user.username }
    expect(await newEvents()).toMatchObject([
      { ...nobody, ...entity, action: 'sign_in_failed' },
      { ...nobody, ...entity, action: 'account_locked' },
      { ...nobody, entity_type: 'Instance', action: 'address_barred' },
    ])
  })
})

describe('sudo', () => {
  it('is told for each write, and once a day for reads, as the administrator’s', async () => {
    const { user, client: own } = await world.newUser()
    const admin = world.as('admin')
    const sudo = `sudo=${user.username}`
    for (let n = 0; n < 3; n++) await admin.get(`/user?${sudo}`)
    await admin.post(`/projects/${world.projects.open.id}/star?${sudo}`)
    await admin.post(`/user/keys?${sudo}`, { title: 'planted', key: newKeyPair().public })
    const entity = { entity_type: 'User', entity_id: user.id, entity_path: user.username }
    const used = { ...entity, author_name: 'Administrator', ip_address: '127.0.0.1' }
    expect(await newEvents()).toMatchObject([
      { ...used, action: 'sudo_used', details: { request: 'GET /user' } },
      { ...used, action: 'sudo_used', details: { request: 'POST /projects/:id/star' } },
      { ...used, action: 'sudo_used', details: { request: 'POST /user/keys' } },
      { ...entity, author_id: user.id, action: 'ssh_key_added', details: { sudo_by: 'root' } },
    ])
    const { user: other } = await world.newUser()
    for (let n = 0; n < 2; n++) await admin.get(`/user?sudo=${other.username}`)
    expect(await newEvents()).toMatchObject([{ action: 'sudo_used', entity_id: other.id }])
    world.app.clock.advance(24 * 60 * 60_000)
    for (let n = 0; n < 2; n++) await admin.get(`/user?${sudo}`)
    expect(await newEvents()).toMatchObject([{ action: 'sudo_used', entity_id: user.id }])
    world.app.clock.advance(-24 * 60 * 60_000)
    // What one administrator did today hides nothing of another one.
    const { user: second } = await world.newUser({ is_admin: true })
    const body = { name: 'sudo', scopes: ['api', 'sudo'] }
    const made = await admin.post(`/users/${second.id}/personal_access_tokens`, body)
    await newEvents()
    await world.app.client(made.json().token).get(`/user?${sudo}`)
    expect(await newEvents()).toMatchObject([
      { action: 'sudo_used', entity_id: user.id, author_id: second.id },
    ])
    // Once, however long the request is.
    await admin.post(`/user/keys?${sudo}`, { title: 'x'.repeat(100_000), key: 'none' })
    expect(await newEvents()).toMatchObject([{ action: 'sudo_used' }])
    // Who may not use it has used nothing.
    expect((await own.get('/user?sudo=root')).statusCode).toBe(403)
    expect((await admin.get('/user?sudo=nobody-of-that-name')).statusCode).toBe(404)
    expect(await newEvents()).toEqual([])
  })
})

describe('REST', () => {
  /** A group with one member added, and the project of it with a branch protected, each by its Owner. */
  async function begin() {
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group, visibility: 'private' })
    const owner = world.as('owner')
    const member = { user_id: world.users.outsider.id, access_level: 20 }
    await owner.post(`/groups/${group.id}/members`, member)
    await owner.post(`/projects/${project.id}/protected_branches`, { name: 'stable' })
    await owner.post(`/projects/${project.id}/variables`, { key: 'K', value: secret })
    return { group, project }
  }
  const actionsOf = (answer: Answer) =>
    answer.json().map(({ event_name }: { event_name: string }) => event_name)

  it('tells what was done to a group or project, the newest first', async () => {
    const { group, project } = await begin()
    const { owner, outsider } = world.users
    const created_at = world.app.clock.now().toISOString()
    const author = { author_id: owner.id, created_at, id: expect.any(Number) }
    const where = { author_name: owner.name, ip_address: '127.0.0.1' }
    const ofGroup = await world.as('owner').get(`/groups/${group.id}/audit_events`)
    expect([ofGroup.statusCode, ofGroup.headers['x-total'], ofGroup.json()]).toEqual([
      200,
      '1',
      [
        {
          ...author,
          entity_id: group.id,
          entity_type: 'Group',
          event_name: 'member_added',
          details: {
            ...where,
            custom_message: 'Member added',
            access_level: 20,
            expires_at: null,
            target_id: outsider.id,
            target_type: 'User',
            target_details: outsider.username,
            entity_path: group.full_path,
          },
        },
      ],
    ])
    // A group may have the number of a project.
    const { db } = world.app
    const { id: _, ...row } = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('entity_type', '=', 'Group')
      .limit(1)
      .executeTakeFirstOrThrow()
    const copy = { ...row, details: JSON.stringify(row.details), entity_id: project.id }
    await db.insertInto('audit_events').values(copy).execute()
    const ofProject = await world.as('maintainer').get(`/projects/${project.id}/audit_events`)
    expect([ofProject.statusCode, actionsOf(ofProject)]).toEqual([
      200,
      ['variable_created', 'branch_protected'],
    ])
    expect(ofProject.body).not.toContain(secret)
    const [{ id }] = ofProject.json()
    const one = await world.as('maintainer').get(`/projects/${project.id}/audit_events/${id}`)
    expect([one.statusCode, one.json()]).toEqual([200, ofProject.json()[0]])
    const foreign = await world.as('owner').get(`/groups/${group.id}/audit_events/${id}`)
    expect([foreign.statusCode, foreign.json()]).toEqual([
      404,
      { message: '404 Audit Event Not Found' },
    ])
  })

  it('tells administrators everything, by entity and time', async () => {
    const { project } = await begin()
    const admin = world.as('admin')
    const ofProject = `entity_type=Project&entity_id=${project.id}`
    const all = await admin.get(`/audit_events?${ofProject}`)
    expect(actionsOf(all)).toEqual(['variable_created', 'branch_protected'])
    const [event] = all.json()
    const one = await admin.get(`/audit_events/${event.id}`)
    expect([one.statusCode, one.json()]).toEqual([200, event])
    const now = world.app.clock.now()
    const later = new Date(now.getTime() + 1000).toISOString()
    const at = now.toISOString()
    for (const [query, count] of [
      [`created_after=${at}&created_before=${at}`, 2],
      [`created_after=${later}`, 0],
      [`created_before=${at}`, 2],
      ['created_before=2001-01-01', 0],
    ] as const) {
      expect((await admin.get(`/audit_events?${ofProject}&${query}`)).json()).toHaveLength(count)
    }
    await admin.put('/application/settings', {
      repository_checks_enabled: false,
      help_text: secret,
    })
    await admin.put('/application/settings', { repository_checks_enabled: true, help_text: null })
    const scope = 'Gitlab::Audit::InstanceScope'
    const ofInstance = await admin.get(`/audit_events?entity_type=${scope}&entity_id=1&per_page=2`)
    const names = ['help_text', 'repository_checks_enabled']
    const event_name = 'settings_changed'
    expect(ofInstance.json()).toMatchObject([
      { entity_type: scope, entity_id: 1, event_name },
      {
        event_name,
        details: { names, changes: { repository_checks_enabled: { from: true, to: false } } },
      },
    ])
    expect(ofInstance.body).not.toContain(secret)
  })

  it('is exported as CSV by the same filters, and no cell is a formula', async () => {
    const { project } = await begin()
    const { user, client } = await world.newUser({ name: '=HYPERLINK("https://evil.test")' })
    await world.as('owner').post(`/projects/${project.id}/members`, {
      user_id: user.id,
      access_level: 40,
    })
    await client.post(`/projects/${project.id}/variables`, { key: 'FORMULA', value: secret })
    const admin = world.as('admin')
    const url = `/audit_events/export?entity_type=Project&entity_id=${project.id}`
    const all = await admin.get(url)
    expect([all.statusCode, all.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(all.headers['content-disposition']).toBe('attachment; filename="audit_events.csv"')
    const lines = all.body.trimEnd().split('\n')
    expect(lines[0]).toBe(
      'id,created_at,event_name,author_id,author_name,entity_type,entity_id,entity_path,target_type,target_id,target_details,ip_address',
    )
    expect(lines.slice(1).map((line) => line.split(',')[2])).toEqual([
      'variable_created',
      'member_added',
      'variable_created',
      'branch_protected',
    ])
    expect(lines[1]).toContain(`,"'=HYPERLINK(""https://evil.test"")",Project,${project.id},`)
    const own = await admin.get(`${url}&author_id=${user.id}`)
    expect(own.body.trimEnd().split('\n')).toEqual([lines[0], lines[1]])
    const listed = await admin.get(`/audit_events?author_id=${user.id}`)
    expect(actionsOf(listed)).toEqual(['variable_created'])
    expect(all.body).not.toContain(secret)
    expect((await world.as('owner').get(url)).statusCode).toBe(403)
  })

  it('is exported of a group or project to those who read its list', async () => {
    const { group, project } = await begin()
    const { owner } = world.users
    const actionsIn = (answer: Answer) =>
      answer.body
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[2])
    const url = `/projects/${project.id}/audit_events/export`
    const ofProject = await world.as('maintainer').get(url)
    expect([ofProject.statusCode, ofProject.headers['content-disposition']]).toEqual([
      200,
      'attachment; filename="audit_events.csv"',
    ])
    expect(actionsIn(ofProject)).toEqual(['variable_created', 'branch_protected'])
    expect(ofProject.body).not.toContain(secret)
    const ofOwner = await world.as('maintainer').get(`${url}?author_id=${owner.id}`)
    expect(ofOwner.body).toBe(ofProject.body)
    const early = await world.as('maintainer').get(`${url}?created_before=2001-01-01`)
    expect(actionsIn(early)).toEqual([])
    const ofGroup = await world.as('owner').get(`/groups/${group.id}/audit_events/export`)
    expect(actionsIn(ofGroup)).toEqual(['member_added'])
    expect((await world.as('developer').get(url)).statusCode).toBe(403)
    const refused = await world.as('maintainer').get(`/groups/${group.id}/audit_events/export`)
    expect(refused.statusCode).toBe(403)
  })

  it('goes on by keysets', async () => {
    const { project } = await begin()
    const url = `/projects/${project.id}/audit_events`
    const keyset = `${url}?pagination=keyset&order_by=id&per_page=1`
    const first = await world.as('owner').get(keyset)
    expect(actionsOf(first)).toEqual(['variable_created'])
    const link = String(first.headers.link)
    expect([link, first.headers['x-total']]).toEqual([
      expect.stringMatching(/id_before=\d+.*rel="next"/),
      undefined,
    ])
    const second = await world.as('owner').get(`${keyset}&id_before=${first.json()[0].id}`)
    expect(actionsOf(second)).toEqual(['branch_protected'])
    const last = await world.as('owner').get(`${keyset}&id_before=${second.json()[0].id}`)
    expect([last.json(), last.headers.link]).toEqual([[], undefined])
    const other = await world.as('owner').get(`${url}?pagination=keyset&order_by=created_at`)
    expect(other.statusCode).toBe(405)
  })

  it.each([
    ['entity_id=1', 'entity_type is missing'],
    ['entity_type=Key', 'entity_type does not have a valid value'],
    ['created_after=soon', 'created_after is invalid'],
  ])('refuses %s', async (query, error) => {
    const answer = await world.as('admin').get(`/audit_events?${query}`)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
  })

  it('is for administrators, Owners of groups and Maintainers of projects', async () => {
    const { group, project } = await begin()
    for (const [who, url, status] of [
      ['anonymous', '/audit_events', 401],
      ['owner', '/audit_events', 403],
      ['owner', '/audit_events/1', 403],
      ['admin', '/audit_events/0', 404],
      ['anonymous', `/groups/${group.id}/audit_events`, 401],
      ['outsider', `/projects/${world.projects.shut.id}/audit_events`, 404],
      ['maintainer', `/groups/${group.id}/audit_events`, 403],
      ['developer', `/projects/${project.id}/audit_events`, 403],
    ] as const) {
      expect([who, url, (await world.as(who).get(url)).statusCode]).toEqual([who, url, status])
    }
  })

  it('is there from the premium tier on', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    const { as } = await newWorld(app)
    const answer = await as('admin').get('/audit_events')
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: '404 Not Found' }])
    await app.close()
  })
})

it('nothing is changed that cannot be told', async () => {
  const app = await startApp()
  const { users, as, newProject, newMemberedGroup, newUser } = await newWorld(app)
  const [project, group, someone] = [await newProject(), await newMemberedGroup(), await newUser()]
  const of = `/projects/${project.id}`
  const user_id = users.outsider.id
  const robot = { title: 'robot', key: newKeyPair().public }
  const { id: key_id } = (await as('owner').post(`${of}/deploy_keys`, robot)).json()
  await sql`alter table audit_events rename to mislaid`.execute(app.db)
  const owner = as('owner')
  const admin = as('admin')
  const key = { title: 'laptop', key: newKeyPair().public }
  const share = { group_id: project.namespace_id, group_access: 10 }
  const token = { name: 't', scopes: ['api'] }
  const writes: [() => Promise<Answer>, read: string][] = [
    [() => owner.post(`${of}/members`, { user_id, access_level: 30 }), `${of}/members`],
    [() => owner.post(`${of}/variables`, { key: 'K', value: secret }), `${of}/variables`],
    [() => owner.post(`${of}/archive`), of],
    [() => owner.put(of, { forking_access_level: 'disabled' }), of],
    [() => owner.delete(of), of],
    [() => owner.post(`${of}/protected_branches`, { name: 'x' }), `${of}/protected_branches`],
    [() => owner.delete(`${of}/deploy_keys/${key_id}`), `${of}/deploy_keys`],
    [() => owner.put(`/groups/${group.id}`, { visibility: 'public' }), `/groups/${group.id}`],
    [() => owner.post(`/groups/${group.id}/share`, share), `/groups/${group.id}`],
    [() => owner.delete(`/groups/${group.id}`), `/groups/${group.id}`],
    [() => admin.post('/user/keys', key), '/user/keys'],
    [() => admin.post('/user/personal_access_tokens', token), '/personal_access_tokens'],
    [() => admin.put(`/users/${user_id}`, { admin: true }), `/users/${user_id}`],
    [() => admin.post(`/users/${someone.user.id}/block`), `/users/${someone.user.id}`],
    [() => admin.delete(`/users/${someone.user.id}`), `/users/${someone.user.id}`],
  ]
  for (const [write, read] of writes) {
    const before = await admin.get(read)
    expect(before.statusCode).toBe(200)
    expect((await write()).statusCode).toBe(500)
    expect((await admin.get(read)).json()).toEqual(before.json())
  }
  await app.close()
})

it('events are kept for a year, and then removed some at a time', async () => {
  const { db, clock } = world.app
  await world.as('owner').post(`/projects/${(await world.newProject()).id}/archive`)
  const at = (days: number) => ({
    db,
    clock: () => new Date(clock.now().getTime() + days * day_ms),
  })
  const count = async () => (await db.selectFrom('audit_events').select('id').execute()).length
  const before = await count()
  await removeOldAuditEvents(at(364))
  expect(await count()).toBe(before)
  const row = await db.selectFrom('audit_events').selectAll().limit(1).executeTakeFirstOrThrow()
  const { id, details, ...rest } = row
  const copies = Array.from({ length: 1000 }, () => ({ ...rest, details: JSON.stringify(details) }))
  await db.insertInto('audit_events').values(copies).execute()
  await removeOldAuditEvents(at(365))
  expect(await count()).toBe(before)
  await removeOldAuditEvents(at(400))
  expect(await count()).toBe(0)
})
