import { type Examples, keep, linkToken, nothing, unique } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /user': nothing,
  'GET /user/activities': nothing,
  'GET /users': nothing,
  'GET /users/:id': async (world) => ({ path: { id: world.users.guest.id } }),
  'POST /users': async () => {
    const username = unique()
    return { body: { username, name: 'n', email: `${username}@x.test`, password: 'long enough' } }
  },
  'POST /user/confirmation': async (world) => ({
    body: { confirmation_token: await linkToken(world, 'confirm-email') },
  }),
  'POST /user/confirmation/resend': async () => ({ body: { email: 'nobody@x.test' } }),
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
  'PUT /user': async () => ({ body: { bio: 'b' } }),
  'PUT /user/avatar': async () => ({ body: { avatar: '' } }),
  'GET /avatar': async () => ({ body: { email: 'nobody@x.test' } }),
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
