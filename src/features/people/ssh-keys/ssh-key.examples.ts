import {
  type Example,
  type Examples,
  keep,
  newSshKey,
  nothing,
} from '../../../../test/kit/examples.ts'
import { computeSshFingerprints } from './public-key.ts'

/** A key of the caller; for anonymous callers one of a guest. */
const ownKey: Example = async (world, who) => {
  const owner = who === 'anonymous' ? 'guest' : who
  const made = await world.as(owner).post('/user/keys', newSshKey())
  return { path: { key_id: made.json().id } }
}

const keyOfGuest = keep(async (world) => {
  const made = await world.as('guest').post('/user/keys', newSshKey())
  return { path: { id: world.users.guest.id, key_id: made.json().id } }
})

export const examples: Examples = {
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
  'GET /keys/:id': async (world) => ({
    path: { id: (await keyOfGuest(world)).path.key_id ?? '' },
  }),
  'GET /keys': async (world) => {
    const body = newSshKey()
    await world.as('guest').post('/user/keys', body)
    const blob = Buffer.from(body.key.split(' ')[1] ?? '', 'base64')
    return { body: { fingerprint: computeSshFingerprints(blob).fingerprint } }
  },
}
