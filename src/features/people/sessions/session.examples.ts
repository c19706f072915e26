import { type Examples, nothing, session } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /user/sessions': nothing,
  'DELETE /user/sessions/:id': async (world, who) => {
    const { client } = await session(world, who)
    const listed = client ? (await client.get('/user/sessions')).json() : [{ id: 1 }]
    return { path: { id: listed[0].id } }
  },
}
