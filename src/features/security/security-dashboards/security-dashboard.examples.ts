import { type Example, type Examples, nothing, project } from '../../../../test/kit/examples.ts'

const url = '/security/projects'

const chosen: Example = async (world, who) => {
  const { path } = await project(world)
  const { id: user_id } = (await world.as(who).get('/user')).json()
  if (user_id !== undefined) {
    const created_at = world.app.clock.now().toISOString()
    await world.app.db
      .insertInto('security_dashboard_projects')
      .values({ user_id, project_id: Number(path.id), created_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return { path: { project_id: path.id ?? 0 } }
}

export const examples: Examples = {
  [`GET ${url}`]: nothing,
  [`POST ${url}`]: async (world) => ({
    body: { project_id: (await world.newProject()).id },
  }),
  [`DELETE ${url}/:project_id`]: chosen,
}
