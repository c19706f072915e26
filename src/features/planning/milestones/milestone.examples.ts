import { type Examples, group, keep, project, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

for (const [url, parent] of [
  ['/projects/:id/milestones', project],
  ['/groups/:id/milestones', group],
] as const) {
  const milestone = keep(async (world) => {
    const { path } = await parent(world)
    const title = `m-${Math.random()}`
    const made = await world.as('admin').post(url.replace(':id', String(path.id)), { title })
    return { path: { ...path, milestone_id: made.json().id } }
  })
  examples[`GET ${url}`] = parent
  examples[`GET ${url}/:milestone_id`] = milestone
  examples[`POST ${url}`] = withBody(parent, () => ({ title: `n-${Math.random()}` }))
  examples[`PUT ${url}/:milestone_id`] = withBody(milestone, { description: 'd' })
  examples[`DELETE ${url}/:milestone_id`] = milestone
  examples[`GET ${url}/:milestone_id/issues`] = milestone
  examples[`GET ${url}/:milestone_id/merge_requests`] = milestone
  examples[`GET ${url}/:milestone_id/burndown_events`] = milestone
}

examples['POST /projects/:id/milestones/:milestone_id/promote'] = keep(async (world) => {
  const group = await world.newMemberedGroup()
  const { id } = await world.newProject({ group })
  const made = await world.as('admin').post(`/projects/${id}/milestones`, { title: 'p' })
  return { path: { id, milestone_id: made.json().id } }
})
