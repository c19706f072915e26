import { type Examples, keep, project, withBody } from '../../../../test/kit/examples.ts'

const trigger = keep(async (world) => {
  const { path } = await project(world)
  const made = await world
    .as('maintainer')
    .post(`/projects/${path.id}/triggers`, { description: 'd' })
  return { path: { ...path, trigger_id: made.json().id } }
})

/** A project with a CI configuration, and a token to start a pipeline. */
const starting = keep(async (world) => {
  const files = { '.gitlab-ci.yml': 'unit: { script: "true" }' }
  const { id } = await world.newProject({ files })
  const made = await world.as('maintainer').post(`/projects/${id}/triggers`, { description: 'd' })
  return { path: { id, ref: 'main', token: made.json().token } }
})
const url = '/projects/:id/triggers'

/** The Maintainer owns the trigger. The token alone is enough to use it. */
export const examples: Examples = {
  [`GET ${url}`]: project,
  [`GET ${url}/:trigger_id`]: trigger,
  [`POST ${url}`]: withBody(project, { description: 'd' }),
  [`PUT ${url}/:trigger_id`]: withBody(trigger, { description: 'e' }),
  [`DELETE ${url}/:trigger_id`]: trigger,
  'POST /projects/:id/trigger/pipeline': async (world) => {
    const { path } = await starting(world)
    return { path, body: { ref: path.ref, token: path.token } }
  },
  'POST /projects/:id/ref/:ref/trigger/pipeline': async (world) => {
    const { path } = await starting(world)
    return { path, body: { token: path.token } }
  },
}
