import { type Examples, project, withPath } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'POST /projects/:id/fork': project,
  'POST /projects/:id/fork/:forked_from_id': withPath(project, (world) => ({
    forked_from_id: world.projects.open.id,
  })),
  'DELETE /projects/:id/fork': project,
}
