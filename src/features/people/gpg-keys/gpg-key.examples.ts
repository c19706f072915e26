import { generateKey } from 'openpgp'
import {
  aUser,
  type Examples,
  nothing,
  ownThing,
  thingOfGuest,
  withBody,
} from '../../../../test/kit/examples.ts'

const newGpgKey = async () => ({
  key: (await generateKey({ userIDs: [{ name: 'n', email: 'n@x.test' }] })).publicKey,
})

export const examples: Examples = {
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
}
