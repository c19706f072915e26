import { addressOf, type Examples, issue, keep } from '../../../../test/kit/examples.ts'

const url = '/projects/:id/issues/:issue_iid/links'

const others = keep(async (world) => {
  const { path } = await issue(world)
  const all = `/projects/${path.id}/issues`
  const made = await world.as('owner').post(all, { title: 'Other' })
  return { path: { ...path, other: made.json().iid } }
})
const target = ({ id = '', other = '' }: Record<string, string | number>) => ({
  target_project_id: id,
  target_issue_iid: other,
})
const link = keep(async (world) => {
  const { path } = await issue(world)
  const client = world.as('owner')
  const { iid: other } = (
    await client.post(`/projects/${path.id}/issues`, { title: 'Third' })
  ).json()
  const made = await client.post(addressOf(url, path), target({ ...path, other }))
  return { path: { ...path, issue_link_id: made.json().id } }
})

export const examples: Examples = {
  [`GET ${url}`]: issue,
  [`GET ${url}/:issue_link_id`]: link,
  [`POST ${url}`]: async (world) => {
    const { path } = await others(world)
    return { path, body: target(path) }
  },
  [`DELETE ${url}/:issue_link_id`]: link,
}
