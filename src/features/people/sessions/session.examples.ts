import { type Examples, keep, nothing, session } from '../../../../test/kit/examples.ts'
import { browserAs } from '../../../../test/kit/session.ts'

/** A user with one session. */
const signedIn = keep(async (world) => {
  const { user } = await world.newUser()
  await browserAs(world, user)
  const { id } = await world.app.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  return { path: { id: user.id, session_id: id } }
})

export const examples: Examples = {
  'GET /users/:id/sessions': signedIn,
  'DELETE /users/:id/sessions/:session_id': signedIn,
  'GET /user/sessions': nothing,
  'DELETE /user/sessions/:id': async (world, who) => {
    const { client } = await session(world, who)
    const listed = client ? (await client.get('/user/sessions')).json() : [{ id: 1 }]
    return { path: { id: listed[0].id } }
  },
}
