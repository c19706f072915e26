// Who may do what, as one committed table: every endpoint times everybody, against a private project
// or group. A change of permission is a visible line in docs/access-matrix.md.
// UPDATE=1 npm test -- test/access-matrix.test.ts rewrites it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateKey } from 'openpgp'
import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { endpoints } from '../src/features/families.ts'
import { renewLinkToken } from '../src/features/people/letters/link-token.ts'
import { fingerprintsOf } from '../src/features/people/ssh-keys/public-key.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { findUserByName } from '../src/subjects/user.ts'
import type { Client } from './kit/app.ts'
import { multipart, png } from './kit/form.ts'
import { browserAs, newPasswordUser, testPassword } from './kit/session.ts'
import { newKeyPair } from './kit/ssh-key.ts'
import { everybody, newWorld, type Who, type World } from './kit/world.ts'

const path = join(import.meta.dirname, '../docs/access-matrix.md')

/** A good request of an endpoint: the path's parameters, the body or query, and whose client sends it. */
type Example = (
  world: World,
  who: Who,
) => Promise<{ path?: Record<string, string | number>; body?: object; client?: Client }>

/** What a request is about, whoever sends it. */
type Fixture = (world: World) => Promise<{ path: Record<string, string | number> }>

const kept = new Map<Fixture, ReturnType<Fixture>>()
/** Made once for all callers, and anew after one of them has changed something. */
const keep =
  (make: Fixture): Fixture =>
  (world) => {
    const fixture = kept.get(make) ?? make(world)
    kept.set(make, fixture)
    return fixture
  }

const project = keep(async (world) => ({
  path: { id: (await world.newProject({ files: { a: 'a' } })).id },
}))
const file =
  (body: object): Example =>
  async (world) => ({ path: { ...(await project(world)).path, file_path: 'a' }, body })
const branch = keep(async (world) => {
  const made = await world.newProject({ files: { a: 'a' } })
  await world.commit(made, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
  return { path: { id: made.id, branch: 'topic' } }
})
const commit: Fixture = async (world) => ({
  path: { ...(await project(world)).path, sha: 'main' },
})
/** A commit of one branch to be made again, or undone, on another one that is not protected. */
const pick =
  (sha: string): Example =>
  async (world) => ({
    path: { ...(await twoBranches(world)).path, sha },
    body: { branch: 'other' },
  })
const twoBranches = keep(async (world) => {
  const made = await world.newProject({ files: { a: 'a' } })
  await world.commit(made, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
  await world.commit(made, { c: 'c' }, { branch: 'other', start_branch: 'main' })
  return { path: { id: made.id } }
})
const tag = keep(async (world) => {
  const made = await world.newProject({ files: { a: 'a' } })
  const body = { tag_name: 'v1', ref: 'main' }
  await world.as('owner').post(`/projects/${made.id}/repository/tags`, body)
  return { path: { id: made.id, tag_name: 'v1' } }
})
/** The blob of the file `a` of every example. */
const blob: Fixture = async (world) => ({
  path: {
    ...(await project(world)).path,
    sha: '2e65efe2a145dda7ee51d1741299f848e5bf752e',
  },
})
const group = keep(async (world) => ({ path: { id: (await world.newMemberedGroup()).id } }))
const withBody =
  (example: Example, body: object | ((world: World) => object | Promise<object>)): Example =>
  async (world, who) => ({
    ...(await example(world, who)),
    body: typeof body === 'function' ? await body(world) : body,
  })
const withPath =
  (example: Example, more: (world: World) => Record<string, string | number>): Example =>
  async (world, who) => ({ path: { ...(await example(world, who)).path, ...more(world) } })
const nothing: Fixture = async () => ({ path: {} })
const ofGuest = (world: World) => ({ user_id: world.users.guest.id })
const newMember = async (world: World) => ({
  user_id: (await world.newUser()).user.id,
  access_level: 10,
})
const share = async (world: World) => ({
  group_id: (await world.newMemberedGroup()).id,
  group_access: 10,
})
const unique = () => `x-${Math.random().toString(36).slice(2)}`
const newSshKey = () => ({ title: 'k', key: newKeyPair().public })
/** A key of whoever calls, or of somebody where that is nobody. */
const ownKey: Example = async (world, who) => {
  const owner = who === 'anonymous' ? 'guest' : who
  const made = await world.as(owner).post('/user/keys', newSshKey())
  return { path: { key_id: made.json().id } }
}
const keyOfGuest = keep(async (world) => {
  const made = await world.as('guest').post('/user/keys', newSshKey())
  return { path: { id: world.users.guest.id, key_id: made.json().id } }
})
const deployKey = keep(async (world) => {
  const { path } = await project(world)
  const made = await world.as('owner').post(`/projects/${path.id}/deploy_keys`, newSshKey())
  return { path: { ...path, key_id: made.json().id } }
})
/** A call with a session, by whoever calls. */
const session: Example = async (world, who) => {
  if (who === 'anonymous') return {}
  const name = who === 'admin' ? 'root' : world.users[who].username
  const user = await findUserByName(world.app.db, name)
  if (!user) throw new Error(`${name} is gone.`)
  return { client: (await browserAs(world, user)).client }
}
/** What a link in a letter to somebody holds. */
const linkToken = async ({ app, newUser }: World, purpose: 'confirm-email' | 'reset-password') => {
  const { user } = await newUser({ confirmed_at: null })
  const { id: user_id, email } = user
  return renewLinkToken(app.db, app.clock.now, { user_id, purpose, email })
}
/** A call of somebody with a password, which whoever calls has not. */
const withPassword =
  (body: object): Example =>
  async (world, who) =>
    who === 'anonymous' ? { body } : { body, client: (await newPasswordUser(world)).client }
/** The same with two-factor sign-in begun, or confirmed. */
const withTwoFactor =
  (state: 'begun' | 'on'): Example =>
  async (world, who) => {
    const { client } = await newPasswordUser(world)
    const proof = { password: testPassword }
    const secret = Secret.fromBase32((await client.post('/user/two_factor', proof)).json().secret)
    const code = new TOTP({ secret }).generate({ timestamp: world.app.clock.now().getTime() })
    if (state === 'on') await client.put('/user/two_factor', { code })
    const body = state === 'on' ? proof : { code }
    return who === 'anonymous' ? { body } : { body, client }
  }
const newEmail = () => ({ email: `${unique()}@x.test` })
const newGpgKey = async () => ({
  key: (await generateKey({ userIDs: [{ name: 'n', email: 'n@x.test' }] })).publicKey,
})
/** Something of whoever calls, or of somebody where that is nobody. */
const ownThing =
  (url: string, id: string, body: () => object | Promise<object>): Example =>
  async (world, who) => {
    const made = await world.as(who === 'anonymous' ? 'guest' : who).post(url, await body())
    return { path: { [id]: made.json().id } }
  }
const thingOfGuest = (url: string, id: string, body: () => object | Promise<object>): Fixture =>
  keep(async (world) => {
    const made = await world.as('guest').post(url, await body())
    return { path: { id: world.users.guest.id, [id]: made.json().id } }
  })
const aUser = keep(async (world) => ({ path: { id: (await world.newUser()).user.id } }))
/** A background task that rests, of a kind that nobody knows. */
const failedTask = keep(async ({ app: { db, clock } }) => {
  const now = clock.now().toISOString()
  const times = { run_at: now, failed_at: now, created_at: now }
  const row = { name: 'unknown', lane: 'events', key: unique(), payload: '{}', ...times }
  return {
    path: await db.insertInto('tasks').values(row).returning('id').executeTakeFirstOrThrow(),
  }
})
const newToken = { name: 't', scopes: ['read_api'] }

const impersonationToken = keep(async (world) => {
  const { user_id } = ofGuest(world)
  const made = await world.as('admin').post(`/users/${user_id}/impersonation_tokens`, newToken)
  return { path: { user_id, impersonation_token_id: made.json().id } }
})

const examples: Record<string, Example> = {
  'GET /projects': nothing,
  'GET /users/:user_id/projects': async (world) => ({ path: ofGuest(world) }),
  'POST /projects': async () => ({ body: { name: unique() } }),
  'POST /projects/user/:user_id': async (world) => ({
    path: ofGuest(world),
    body: { name: unique() },
  }),
  'GET /projects/:id': project,
  'GET /projects/:id/forks': project,
  'POST /projects/:id/fork': project,
  'POST /projects/:id/fork/:forked_from_id': withPath(project, (world) => ({
    forked_from_id: world.projects.open.id,
  })),
  'DELETE /projects/:id/fork': project,
  'POST /projects/:id/archive': project,
  'POST /projects/:id/unarchive': project,
  'PUT /projects/:id/transfer': withBody(project, async (world) => ({
    namespace: (await world.newMemberedGroup()).id,
  })),
  'GET /projects/:id/transfer_locations': project,
  'POST /projects/:id/housekeeping': project,
  'GET /projects/:id/storage': project,
  'GET /projects/:id/users': project,
  'GET /projects/:id/groups': project,
  'GET /projects/:id/invited_groups': project,
  'POST /projects/:id/star': project,
  'POST /projects/:id/unstar': project,
  'GET /projects/:id/starrers': project,
  'GET /users/:user_id/starred_projects': async (world) => ({ path: ofGuest(world) }),
  'GET /users/:user_id/contributed_projects': async (world) => ({ path: ofGuest(world) }),
  'PUT /projects/:id': withBody(project, { description: 'd' }),
  'DELETE /projects/:id': project,
  'GET /projects/:id/repository/commits': project,
  'GET /projects/:id/repository/commits/:sha': commit,
  'GET /projects/:id/repository/commits/:sha/refs': commit,
  'GET /projects/:id/repository/commits/:sha/diff': commit,
  'POST /projects/:id/repository/commits/:sha/cherry_pick': pick('topic'),
  'POST /projects/:id/repository/commits/:sha/revert': pick('other'),
  'GET /projects/:id/repository/commits/:sha/comments': commit,
  'POST /projects/:id/repository/commits/:sha/comments': withBody(commit, { note: 'n' }),
  'GET /projects/:id/repository/commits/:sha/statuses': commit,
  'POST /projects/:id/statuses/:sha': withBody(commit, { state: 'success' }),
  'POST /projects/:id/repository/commits': withBody(project, {
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'm',
    actions: [{ action: 'create', file_path: 'b' }],
  }),
  'GET /projects/:id/repository/files/:file_path': file({ ref: 'main' }),
  'GET /projects/:id/repository/files/:file_path/blame': file({ ref: 'main' }),
  'GET /projects/:id/repository/files/:file_path/raw': file({ ref: 'main' }),
  'GET /projects/:id/repository/tree': project,
  'GET /projects/:id/repository/blobs/:sha': blob,
  'GET /projects/:id/repository/blobs/:sha/raw': blob,
  'GET /projects/:id/repository/archive': project,
  'GET /projects/:id/repository/archive.:format': withPath(project, () => ({ format: 'zip' })),
  'GET /projects/:id/repository/compare': withBody(project, { from: 'main', to: 'main' }),
  'GET /projects/:id/repository/merge_base': withBody(project, { refs: 'main,HEAD' }),
  'GET /projects/:id/repository/contributors': project,
  'GET /projects/:id/languages': project,
  'GET /projects/:id/search': withBody(project, { scope: 'blobs', search: 'a' }),
  'GET /projects/:id/-/search': withBody(project, { scope: 'blobs', search: 'a' }),
  'POST /projects/:id/repository/files/:file_path': async (world) => ({
    path: { ...(await project(world)).path, file_path: 'b' },
    body: { branch: 'topic', start_branch: 'main', commit_message: 'm', content: '' },
  }),
  'PUT /projects/:id/repository/files/:file_path': file({
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'm',
    content: 'b',
  }),
  'DELETE /projects/:id/repository/files/:file_path': file({
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'm',
  }),
  'GET /projects/:id/repository/branches': project,
  'GET /projects/:id/repository/branches/:branch': branch,
  'POST /projects/:id/repository/branches': withBody(project, { branch: 'new', ref: 'main' }),
  'DELETE /projects/:id/repository/branches/:branch': branch,
  'PUT /projects/:id/repository/branches/:branch/protect': branch,
  'PUT /projects/:id/repository/branches/:branch/unprotect': branch,
  'DELETE /projects/:id/repository/merged_branches': project,
  'GET /projects/:id/repository/tags': project,
  'GET /projects/:id/repository/tags/:tag_name': tag,
  'POST /projects/:id/repository/tags': withBody(project, { tag_name: 'v1', ref: 'main' }),
  'DELETE /projects/:id/repository/tags/:tag_name': tag,
  'GET /projects/:id/repository/commits/:sha/signature': commit,
  'GET /projects/:id/repository/tags/:tag_name/signature': tag,
  'GET /projects/:id/protected_branches': project,
  'GET /projects/:id/protected_branches/:name': withPath(project, () => ({ name: 'main' })),
  'POST /projects/:id/protected_branches': withBody(project, { name: 'stable/*' }),
  'PATCH /projects/:id/protected_branches/:name': withPath(project, () => ({ name: 'main' })),
  'DELETE /projects/:id/protected_branches/:name': withPath(project, () => ({ name: 'main' })),
  'GET /deploy_keys': nothing,
  'POST /deploy_keys': async () => ({ body: newSshKey() }),
  'GET /projects/:id/deploy_keys': project,
  'GET /projects/:id/deploy_keys/:key_id': deployKey,
  'POST /projects/:id/deploy_keys': withBody(project, newSshKey),
  'PUT /projects/:id/deploy_keys/:key_id': withBody(deployKey, { can_push: true }),
  'POST /projects/:id/deploy_keys/:key_id/enable': deployKey,
  'DELETE /projects/:id/deploy_keys/:key_id': deployKey,
  'GET /user': nothing,
  'GET /user/activities': nothing,
  'GET /users': nothing,
  'GET /users/:id': async (world) => ({ path: { id: world.users.guest.id } }),
  'POST /users': async () => {
    const username = unique()
    return { body: { username, name: 'n', email: `${username}@x.test`, password: 'long enough' } }
  },
  'POST /session': async (world) => {
    const { user } = await newPasswordUser(world)
    return { body: { login: user.username, password: testPassword } }
  },
  'GET /session': session,
  'DELETE /session': session,
  'GET /user/sessions': nothing,
  'DELETE /user/sessions/:id': async (world, who) => {
    const { client } = await session(world, who)
    const listed = client ? (await client.get('/user/sessions')).json() : [{ id: 1 }]
    return { path: { id: listed[0].id } }
  },
  'PUT /user/password': withPassword({
    current_password: testPassword,
    password: 'quite another password',
  }),
  'POST /user/password_reset': async () => ({ body: { email: 'nobody@x.test' } }),
  'PUT /user/password_reset': async (world) => {
    const reset_password_token = await linkToken(world, 'reset-password')
    return { body: { reset_password_token, password: 'quite another password' } }
  },
  'POST /user/confirmation': async (world) => ({
    body: { confirmation_token: await linkToken(world, 'confirm-email') },
  }),
  'POST /user/confirmation/resend': async () => ({ body: { email: 'nobody@x.test' } }),
  'POST /user/two_factor': withPassword({ password: testPassword }),
  'PUT /user/two_factor': withTwoFactor('begun'),
  'POST /user/two_factor/recovery_codes': withTwoFactor('on'),
  'DELETE /user/two_factor': withTwoFactor('on'),
  'PATCH /users/:id/disable_two_factor': async (world) => {
    const { user } = await world.newUser({ two_factor_enabled: true })
    return { path: { id: user.id } }
  },
  'PUT /users/:id': async (world) => ({
    path: { id: (await world.newUser()).user.id },
    body: { bio: 'b' },
  }),
  'DELETE /users/:id': async (world) => ({ path: { id: (await world.newUser()).user.id } }),
  'DELETE /users/:id/identities/:provider': async (world) => {
    const { id } = (await world.newUser()).user
    const identity = { provider: 'ldapmain', extern_uid: unique() }
    await world.as('admin').put(`/users/${id}`, identity)
    return { path: { id, provider: identity.provider } }
  },
  'PUT /user/avatar': async () => ({ body: { avatar: '' } }),
  'GET /avatar': async () => ({ body: { email: 'nobody@x.test' } }),
  'GET /user/keys': nothing,
  'GET /user/keys/:key_id': ownKey,
  'POST /user/keys': async () => ({ body: newSshKey() }),
  'DELETE /user/keys/:key_id': ownKey,
  'GET /users/:id/keys': keyOfGuest,
  'GET /users/:id/keys/:key_id': keyOfGuest,
  'POST /users/:id/keys': async (world) => ({
    path: { id: world.users.guest.id },
    body: newSshKey(),
  }),
  'DELETE /users/:id/keys/:key_id': keyOfGuest,
  'GET /user/emails': nothing,
  'GET /user/emails/:email_id': ownThing('/user/emails', 'email_id', newEmail),
  'POST /user/emails': async () => ({ body: newEmail() }),
  'DELETE /user/emails/:email_id': ownThing('/user/emails', 'email_id', newEmail),
  'GET /users/:id/emails': aUser,
  'POST /users/:id/emails': withBody(aUser, newEmail),
  'DELETE /users/:id/emails/:email_id': thingOfGuest('/user/emails', 'email_id', newEmail),
  'GET /user/gpg_keys': nothing,
  'GET /user/gpg_keys/:key_id': ownThing('/user/gpg_keys', 'key_id', newGpgKey),
  'POST /user/gpg_keys': async () => ({ body: await newGpgKey() }),
  'DELETE /user/gpg_keys/:key_id': ownThing('/user/gpg_keys', 'key_id', newGpgKey),
  'POST /user/gpg_keys/:key_id/revoke': ownThing('/user/gpg_keys', 'key_id', newGpgKey),
  'GET /users/:id/gpg_keys': aUser,
  'GET /users/:id/gpg_keys/:key_id': thingOfGuest('/user/gpg_keys', 'key_id', newGpgKey),
  'POST /users/:id/gpg_keys': withBody(aUser, newGpgKey),
  'DELETE /users/:id/gpg_keys/:key_id': thingOfGuest('/user/gpg_keys', 'key_id', newGpgKey),
  'POST /users/:id/gpg_keys/:key_id/revoke': thingOfGuest('/user/gpg_keys', 'key_id', newGpgKey),
  'GET /user/status': nothing,
  'GET /users/:user_id/status': async (world) => ({ path: ofGuest(world) }),
  'PUT /user/status': async () => ({ body: { message: 'm' } }),
  'PATCH /user/status': async () => ({ body: { message: 'm' } }),
  'GET /user/preferences': nothing,
  'PUT /user/preferences': async () => ({ body: { view_diffs_file_by_file: true } }),
  'POST /users/:id/follow': aUser,
  'POST /users/:id/unfollow': async (world, who) => {
    const example = await aUser(world)
    if (who !== 'anonymous') await world.as(who).post(`/users/${example.path.id}/follow`)
    return example
  },
  'GET /users/:id/followers': aUser,
  'GET /users/:id/following': aUser,
  'GET /users/:user_id/memberships': async (world) => ({ path: ofGuest(world) }),
  'GET /users/:id/associations_count': aUser,
  'GET /keys/:id': async (world) => ({
    path: { id: (await keyOfGuest(world)).path.key_id ?? '' },
  }),
  'GET /keys': async (world) => {
    const body = newSshKey()
    await world.as('guest').post('/user/keys', body)
    const blob = Buffer.from(body.key.split(' ')[1] ?? '', 'base64')
    return { body: { fingerprint: fingerprintsOf(blob).fingerprint } }
  },
  'GET /personal_access_tokens': nothing,
  'GET /personal_access_tokens/self': nothing,
  'GET /personal_access_tokens/:id': async (world) => {
    const made = await world.as('owner').post('/user/personal_access_tokens', newToken)
    return { path: { id: made.json().id } }
  },
  'POST /user/personal_access_tokens': async () => ({ body: newToken }),
  'POST /users/:user_id/personal_access_tokens': async (world) => ({
    path: ofGuest(world),
    body: newToken,
  }),
  'DELETE /personal_access_tokens/:id': async (world) => {
    const made = await world.as('owner').post('/user/personal_access_tokens', newToken)
    return { path: { id: made.json().id } }
  },
  'DELETE /personal_access_tokens/self': async (world, who) => {
    if (who === 'anonymous') return {}
    // A token made for the purpose, since it is gone afterwards.
    const body = { name: 't', scopes: ['api'] }
    const made = await world.as(who).post('/user/personal_access_tokens', body)
    return { client: world.app.client(made.json().token) }
  },
  'GET /users/:user_id/impersonation_tokens': async (world) => ({ path: ofGuest(world) }),
  'POST /users/:user_id/impersonation_tokens': async (world) => ({
    path: ofGuest(world),
    body: newToken,
  }),
  'GET /users/:user_id/impersonation_tokens/:impersonation_token_id': impersonationToken,
  'DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id': impersonationToken,
  'GET /version': nothing,
  'GET /metadata': nothing,
  'GET /groups': nothing,
  'POST /groups': async () => ({ body: { name: unique(), path: unique() } }),
  'GET /groups/:id': group,
  'PUT /groups/:id': withBody(group, { description: 'd' }),
  'DELETE /groups/:id': group,
  'GET /groups/:id/subgroups': group,
  'GET /groups/:id/descendant_groups': group,
  'GET /groups/:id/projects': group,
  'GET /groups/:id/projects/shared': group,
  'GET /groups/:id/groups/shared': group,
  'GET /groups/:id/invited_groups': group,
  'GET /groups/:id/search': withBody(group, { scope: 'users', search: 'a' }),
  'GET /groups/:id/-/search': withBody(group, { scope: 'users', search: 'a' }),
  'GET /search': async () => ({ body: { scope: 'projects', search: 'a' } }),
  'POST /groups/:id/transfer': withBody(group, async (world) => ({
    group_id: (await world.newMemberedGroup()).id,
  })),
  'POST /groups/:id/projects/:project_id': async (world) => ({
    path: { ...(await group(world)).path, project_id: (await world.newProject()).id },
  }),
  'GET /groups/:id/transfer_locations': group,
  'POST /groups/:id/share': withBody(group, share),
  'DELETE /groups/:id/share/:group_id': async (world) => {
    const { path } = await group(world)
    const body = await share(world)
    await world.as('admin').post(`/groups/${path.id}/share`, body)
    return { path: { ...path, group_id: body.group_id } }
  },
  'POST /projects/:id/share': withBody(project, share),
  'DELETE /projects/:id/share/:group_id': async (world) => {
    const { path } = await project(world)
    const body = await share(world)
    await world.as('admin').post(`/projects/${path.id}/share`, body)
    return { path: { ...path, group_id: body.group_id } }
  },
  'GET /admin/background_tasks': nothing,
  'POST /admin/background_tasks/:id/retry': failedTask,
  'DELETE /admin/background_tasks/:id': failedTask,
  'GET /namespaces': nothing,
  'GET /namespaces/:id': async (world) => ({ path: { id: world.groups.shut.id } }),
  'GET /namespaces/:id/exists': async () => ({ path: { id: 'nobody-has-this' } }),
  'GET /namespaces/:path/exists': async () => ({ path: { path: 'nobody-has-this' } }),
}

for (const [source, parent] of [
  ['projects', project],
  ['groups', group],
] as const) {
  const url = `/${source}/:id/members`
  const joined = keep(async (world) => {
    const { path } = await parent(world)
    const member = await newMember(world)
    await world.as('admin').post(`/${source}/${path.id}/members`, member)
    return { path: { ...path, user_id: member.user_id } }
  })
  examples[`GET ${url}`] = parent
  examples[`GET ${url}/all`] = parent
  examples[`GET ${url}/:user_id`] = joined
  examples[`GET ${url}/all/:user_id`] = withPath(joined, () => ({}))
  examples[`POST ${url}`] = withBody(parent, newMember)
  examples[`PUT ${url}/:user_id`] = withBody(joined, { access_level: 20 })
  examples[`DELETE ${url}/:user_id`] = joined
  const invitations = `/${source}/:id/invitations`
  const invited = keep(async (world) => {
    const { path } = await parent(world)
    const email = `${unique()}@x.test`
    await world.as('admin').post(`/${source}/${path.id}/invitations`, { email, access_level: 10 })
    return { path: { ...path, email } }
  })
  examples[`GET ${invitations}`] = parent
  examples[`POST ${invitations}`] = withBody(parent, () => ({
    email: `${unique()}@x.test`,
    access_level: 10,
  }))
  examples[`PUT ${invitations}/:email`] = withBody(invited, { access_level: 20 })
  examples[`DELETE ${invitations}/:email`] = invited
}

for (const [url, parent] of [
  ['/projects/:id/variables', project],
  ['/groups/:id/variables', group],
  ['/admin/ci/variables', nothing],
] as const) {
  const variable = keep(async (world) => {
    const { path } = await parent(world)
    const key = unique().replace('-', '_')
    const at = url.replace(':id', String(path.id))
    await world.as('admin').post(at, { key, value: 'v' })
    return { path: { ...path, key } }
  })
  examples[`GET ${url}`] = parent
  examples[`GET ${url}/:key`] = variable
  examples[`POST ${url}`] = withBody(parent, () => ({
    key: unique().replace('-', '_'),
    value: 'v',
  }))
  examples[`PUT ${url}/:key`] = withBody(variable, { value: 'w' })
  examples[`DELETE ${url}/:key`] = variable
}

for (const [url, parent] of [
  ['/projects/:id', project],
  ['/groups/:id', group],
] as const) {
  examples[`GET ${url}/avatar`] = keep(async (world) => {
    const { path } = await parent(world)
    const { body, options } = multipart({ avatar: { filename: 'a.png', content: png() } })
    await world.as('admin').put(url.replace(':id', String(path.id)), body, options)
    return { path }
  })
}

const idle = { created_at: '2020-01-01T00:00:00.000Z' }
for (const [verb, state] of [
  ['block', 'active'],
  ['unblock', 'blocked'],
  ['deactivate', 'active'],
  ['activate', 'deactivated'],
  ['ban', 'active'],
  ['unban', 'banned'],
  ['approve', 'blocked_pending_approval'],
  ['reject', 'blocked_pending_approval'],
] as const) {
  examples[`POST /users/:id/${verb}`] = keep(async (world) => {
    const { id } = (await world.newUser({ state })).user
    await world.app.db.updateTable('users').set(idle).where('id', '=', id).execute()
    return { path: { id } }
  })
}

for (const [source, parent] of [
  ['users', aUser],
  ['projects', project],
  ['groups', group],
] as const) {
  const url = `/${source}/:id/custom_attributes`
  const noted = keep(async (world) => {
    const { path } = await parent(world)
    await world.as('admin').put(`/${source}/${path.id}/custom_attributes/k`, { value: 'v' })
    return { path: { ...path, key: 'k' } }
  })
  examples[`GET ${url}`] = noted
  examples[`GET ${url}/:key`] = noted
  examples[`PUT ${url}/:key`] = withBody(noted, { value: 'w' })
  examples[`DELETE ${url}/:key`] = noted
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path.replace(/\(\^[^)]*\)/g, '')}`

async function ask(world: World, endpoint: Endpoint, who: Who): Promise<number> {
  const example = examples[nameOf(endpoint)]
  if (!example) throw new Error(`test/access-matrix.test.ts has no example for ${nameOf(endpoint)}`)
  const { path = {}, body, client = world.as(who) } = await example(world, who)
  const template = nameOf(endpoint).split(' ')[1] ?? ''
  const url = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  if (endpoint.method === 'GET') {
    const query = new URLSearchParams(body as Record<string, string>).toString()
    return (await client.get(query ? `${url}?${query}` : url)).statusCode
  }
  const method = endpoint.method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete'
  return (await client[method](url, body)).statusCode
}

it('is as docs/access-matrix.md says', { timeout: 360_000 }, async () => {
  const lines: string[] = []
  const world = await newWorld()
  for (const endpoint of endpoints) {
    const statuses: number[] = []
    for (const who of everybody) {
      const status = await ask(world, endpoint, who)
      statuses.push(status)
      if (endpoint.method !== 'GET' && status < 400) kept.clear()
    }
    const name = `${nameOf(endpoint)}${endpoint.tier === 'free' ? '' : ` (${endpoint.tier})`}`
    lines.push(`| ${name} | ${statuses.join(' | ')} |`)
  }
  const document = [
    '# Who may do what',
    '',
    'The status each caller gets for a good request about a private project or group of which the roles',
    'are members. Made by `test/access-matrix.test.ts`, which fails when it is no longer true.',
    '',
    `| operation | ${everybody.join(' | ')} |`,
    `|---|${everybody.map(() => '---|').join('')}`,
    ...lines,
    '',
  ].join('\n')
  if (process.env.UPDATE) writeFileSync(path, document)
  expect(document).toBe(readFileSync(path, 'utf8'))
})
