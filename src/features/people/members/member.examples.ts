import {
  aUser,
  type Examples,
  group,
  keep,
  ofGuest,
  project,
  unique,
  withBody,
  withPath,
} from '../../../../test/kit/examples.ts'
import type { World } from '../../../../test/kit/world.ts'

const newMember = async (world: World) => ({
  user_id: (await world.newUser()).user.id,
  access_level: 10,
})

export const examples: Examples = {
  'GET /projects/:id/users': project,
  'GET /projects/:id/groups': project,
  'GET /projects/:id/invited_groups': project,
  'GET /users/:user_id/memberships': async (world) => ({ path: ofGuest(world) }),
  'GET /users/:id/associations_count': aUser,
}

for (const [source, parent] of [
  ['projects', project],
  ['groups', group],
] as const) {
  const url = `/${source}/:id/members`
  const joined = keep(async (world) => {
    const { path } = await parent(world)
    const member = await newMember(world)
    await world.as('admin').post(`/${source}/${path.id}/members`, member)
    return { path: { ...path, user_id: member.user_id } }
  })
  const requests = `/${source}/:id/access_requests`
  const asking = keep(async (world) => {
    const { path } = await parent(world)
    const { user } = await world.newUser()
    const place = source === 'projects' ? { project_id: path.id } : { namespace_id: path.id }
    const request = { user_id: user.id, requested_at: world.app.clock.now().toISOString() }
    await world.app.db
      .insertInto('access_requests')
      .values({ ...request, ...(place as { project_id?: number; namespace_id?: number }) })
      .execute()
    return { path: { ...path, user_id: user.id } }
  })
  examples[`GET ${requests}`] = parent
  examples[`POST ${requests}`] = parent
  examples[`PUT ${requests}/:user_id/approve`] = asking
  examples[`DELETE ${requests}/:user_id`] = asking
  examples[`GET ${url}`] = parent
  examples[`GET ${url}/all`] = parent
  examples[`GET ${url}/:user_id`] = joined
  examples[`GET ${url}/all/:user_id`] = withPath(joined, () => ({}))
  examples[`POST ${url}`] = withBody(parent, newMember)
  examples[`PUT ${url}/:user_id`] = withBody(joined, { access_level: 20 })
  examples[`DELETE ${url}/:user_id`] = joined
  const invitations = `/${source}/:id/invitations`
  const invited = keep(async (world) => {
    const { path } = await parent(world)
    const email = `${unique()}@x.test`
    await world.as('admin').post(`/${source}/${path.id}/invitations`, { email, access_level: 10 })
    return { path: { ...path, email } }
  })
  examples[`GET ${invitations}`] = parent
  examples[`POST ${invitations}`] = withBody(parent, () => ({
    email: `${unique()}@x.test`,
    access_level: 10,
  }))
  examples[`PUT ${invitations}/:email`] = withBody(invited, { access_level: 20 })
  examples[`DELETE ${invitations}/:email`] = invited
}
