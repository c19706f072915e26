import {
  aUser,
  type Examples,
  nothing,
  ownThing,
  thingOfGuest,
  unique,
  withBody,
} from '../../../../test/kit/examples.ts'

const newEmail = () => ({ email: `${unique()}@x.test` })

export const examples: Examples = {
  'GET /user/emails': nothing,
  'GET /user/emails/:email_id': ownThing('/user/emails', 'email_id', newEmail),
  'POST /user/emails': async () => ({ body: newEmail() }),
  'DELETE /user/emails/:email_id': ownThing('/user/emails', 'email_id', newEmail),
  'GET /users/:id/emails': aUser,
  'POST /users/:id/emails': withBody(aUser, newEmail),
  'DELETE /users/:id/emails/:email_id': thingOfGuest('/user/emails', 'email_id', newEmail),
}
