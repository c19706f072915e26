import {
  addressOf,
  type Examples,
  group,
  issue,
  keep,
  nothing,
  project,
  withBody,
} from '../../../../test/kit/examples.ts'
import type { World } from '../../../../test/kit/world.ts'

const all = '/projects/:id/issues'
const one = `${all}/:issue_iid`

/** The issue, and another one of the same project. */
const issues = keep(async (world) => {
  const { path } = await issue(world)
  const made = await world.as('owner').post(addressOf(all, path), { title: 'Another' })
  return { path: { ...path, other: made.json().id } }
})

const elsewhere = async (world: World) => ({ to_project_id: (await world.newProject()).id })

const subscribed = keep(async (world) => {
  const { path } = await issue(world)
  for (const who of ['guest', 'reporter', 'developer', 'maintainer', 'owner', 'admin'] as const) {
    await world.as(who).post(addressOf(`${one}/subscribe`, path))
  }
  return { path }
})
const unsubscribed = keep(async (world) => {
  const { path } = await issue(world)
  await world.as('owner').post(addressOf(`${one}/unsubscribe`, path))
  return { path }
})

export const examples: Examples = {
  'GET /issues': nothing,
  'GET /groups/:id/issues': group,
  [`GET ${all}`]: project,
  'GET /issues_statistics': nothing,
  'GET /groups/:id/issues_statistics': group,
  'GET /projects/:id/issues_statistics': project,
  'GET /issues/:issue_id': async (world) => {
    const { path } = await issues(world)
    return { path: { issue_id: path.other ?? '' } }
  },
  [`GET ${one}`]: issue,
  [`POST ${all}`]: withBody(project, { title: 't' }),
  [`PUT ${one}`]: withBody(issue, { title: 'u' }),
  [`DELETE ${one}`]: issue,
  [`GET ${one}/participants`]: issue,
  [`POST ${one}/subscribe`]: unsubscribed,
  [`POST ${one}/unsubscribe`]: subscribed,
  [`GET ${one}/time_stats`]: issue,
  [`POST ${one}/time_estimate`]: withBody(issue, { duration: '1h' }),
  [`POST ${one}/reset_time_estimate`]: issue,
  [`POST ${one}/add_spent_time`]: withBody(issue, { duration: '1h' }),
  [`POST ${one}/reset_spent_time`]: issue,
  [`POST ${one}/move`]: withBody(issue, elsewhere),
  [`POST ${one}/clone`]: withBody(issue, elsewhere),
  [`PUT ${one}/reorder`]: async (world) => {
    const { path } = await issues(world)
    return { path, body: { move_after_id: path.other } }
  },
  [`GET ${one}/closed_by`]: issue,
  [`GET ${one}/related_merge_requests`]: issue,
}
