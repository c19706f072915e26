import { type Example, type Examples, keep, nothing } from '../../../../test/kit/examples.ts'
import { createOauthTokenPair } from './oauth-token.ts'

const body = { name: 'App', redirect_uri: 'https://app.example.test/back', scopes: 'read_user' }

const application = keep(async (world) => {
  const made = await world.as('admin').post('/applications', body)
  return { path: { id: made.json().id } }
})

/** An application of the caller; for anonymous callers an id that belongs to nobody. */
const ownApplication: Example = async (world, who) => {
  if (who === 'anonymous') return { path: { id: 1 } }
  const made = await world.as(who).post('/user/applications', body)
  return { path: { id: made.json().id } }
}

export const examples: Examples = {
  'GET /applications': nothing,
  'POST /applications': async () => ({ body }),
  'POST /applications/:id/renew-secret': application,
  'GET /user/authorized_applications': nothing,
  'DELETE /user/authorized_applications/:id': async (world, who) => {
    const { id } = (await world.as('admin').post('/applications', body)).json()
    const { id: user_id } =
      who === 'anonymous' ? { id: 0 } : (await world.as(who).get('/user')).json()
    if (user_id === 0) return { path: { id } }
    const { db, clock } = world.app
    const grant = { application_id: id, user_id, scopes: ['read_user'], auth_time: null }
    await createOauthTokenPair(db, clock.now, grant)
    return { path: { id } }
  },
  'GET /user/applications': nothing,
  'POST /user/applications': async () => ({ body }),
  'PUT /user/applications/:id': async (world, who) => ({
    ...(await ownApplication(world, who)),
    body: { name: 'Renamed' },
  }),
  'POST /user/applications/:id/renew-secret': ownApplication,
  'DELETE /user/applications/:id': ownApplication,
  'DELETE /applications/:id': async (world) => {
    const made = await world.as('admin').post('/applications', body)
    return { path: { id: made.json().id } }
  },
}
