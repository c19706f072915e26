import { type Examples, project } from '../../../../test/kit/examples.ts'

const withVersion: Examples[string] = async (world) => ({
  ...(await project(world)),
  body: { version: '1.0.0', from: 'main' },
})

export const examples: Examples = {
  'GET /projects/:id/repository/changelog': withVersion,
  'POST /projects/:id/repository/changelog': withVersion,
}
