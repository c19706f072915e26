import { type Examples, group, keep, project, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

const urls = { link_url: 'https://x.test/%{project_path}', image_url: 'https://x.test/b.svg' }

for (const [url, parent] of [
  ['/projects/:id/badges', project],
  ['/groups/:id/badges', group],
] as const) {
  const badge = keep(async (world) => {
    const { path } = await parent(world)
    const made = await world.as('admin').post(url.replace(':id', String(path.id)), urls)
    return { path: { ...path, badge_id: made.json().id } }
  })
  examples[`GET ${url}`] = parent
  examples[`GET ${url}/render`] = withBody(parent, urls)
  examples[`GET ${url}/:badge_id`] = badge
  examples[`POST ${url}`] = withBody(parent, urls)
  examples[`PUT ${url}/:badge_id`] = withBody(badge, { name: 'n' })
  examples[`DELETE ${url}/:badge_id`] = badge
}
