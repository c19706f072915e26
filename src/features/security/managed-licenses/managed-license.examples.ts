import { type Examples, keep, project, unique, withBody } from '../../../../test/kit/examples.ts'

const license = keep(async (world) => {
  const { path } = await project(world)
  const body = { name: unique(), approval_status: 'allowed' }
  const made = await world.as('owner').post(`/projects/${path.id}/managed_licenses`, body)
  return { path: { ...path, managed_license_id: made.json().id } }
})

const url = '/projects/:id/managed_licenses'
export const examples: Examples = {
  [`GET ${url}`]: project,
  [`POST ${url}`]: async (world) => ({
    ...(await project(world)),
    body: { name: unique(), approval_status: 'denied' },
  }),
  [`GET ${url}/:managed_license_id`]: license,
  [`PATCH ${url}/:managed_license_id`]: withBody(license, { approval_status: 'denied' }),
  [`DELETE ${url}/:managed_license_id`]: license,
}
