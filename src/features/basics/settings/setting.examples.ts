import { type Examples, nothing, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /application/settings': nothing,
  'PUT /application/settings': withBody(nothing, { max_attachment_size: 10 }),
}
