import { type Examples, keep, nothing, ofGuest } from '../../../../test/kit/examples.ts'

const newToken = { name: 't', scopes: ['read_api'] }

const impersonationToken = keep(async (world) => {
  const { user_id } = ofGuest(world)
  const made = await world.as('admin').post(`/users/${user_id}/impersonation_tokens`, newToken)
  return { path: { user_id, impersonation_token_id: made.json().id } }
})

export const examples: Examples = {
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
  'POST /personal_access_tokens/:id/rotate': async (world) => {
    const made = await world.as('owner').post('/user/personal_access_tokens', newToken)
    return { path: { id: made.json().id } }
  },
  'POST /personal_access_tokens/self/rotate': async (world, who) => {
    if (who === 'anonymous') return {}
    const body = { name: 't', scopes: ['api'] }
    const made = await world.as(who).post('/user/personal_access_tokens', body)
    return { client: world.app.client(made.json().token) }
  },
  'DELETE /personal_access_tokens/self': async (world, who) => {
    if (who === 'anonymous') return {}
    // Each request gets a token of its own, since the request revokes it.
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
}
