import { type Examples, keep, nothing, withBody } from '../../../../test/kit/examples.ts'

const message = keep(async (world) => {
  const body = { message: 'Back at noon', dismissable: true }
  const made = await world.as('admin').post('/broadcast_messages', body)
  return { path: { id: made.json().id } }
})

export const examples: Examples = {
  'GET /broadcast_messages': nothing,
  'GET /broadcast_messages/:id': message,
  'POST /broadcast_messages': withBody(nothing, { message: 'Back at noon' }),
  'PUT /broadcast_messages/:id': withBody(message, { message: 'Back at one' }),
  'DELETE /broadcast_messages/:id': message,
  'POST /broadcast_messages/:id/dismiss': message,
}
