import { aUser, type Examples } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'POST /users/:id/follow': aUser,
  'POST /users/:id/unfollow': async (world, who) => {
    const example = await aUser(world)
    if (who !== 'anonymous') await world.as(who).post(`/users/${example.path.id}/follow`)
    return example
  },
  'GET /users/:id/followers': aUser,
  'GET /users/:id/following': aUser,
}
