import { type Examples, group, keep, tag, unique, withBody } from '../../../../test/kit/examples.ts'

const release = keep(async (world) => {
  const { path } = await tag(world)
  const body = {
    tag_name: unique(),
    ref: 'main',
    assets: { links: [{ name: 'n', url: 'https://x.test/n', filepath: '/n' }] },
  }
  const made = await world.as('owner').post(`/projects/${path.id}/releases`, body)
  const [link] = made.json().assets.links
  return { path: { id: path.id ?? 0, tag_name: body.tag_name, link_id: link.id } }
})

const newLink = () => ({ name: unique(), url: `https://x.test/${unique()}` })
const base = '/projects/:id/releases'
const links = `${base}/:tag_name/assets/links`

export const examples: Examples = {
  [`GET ${base}`]: tag,
  [`GET ${base}/permalink/latest`]: release,
  [`GET ${base}/permalink/latest/:suffix_path`]: async (world) => {
    const { path } = await release(world)
    return { path: { ...path, suffix_path: 'downloads/n' } }
  },
  [`GET ${base}/:tag_name`]: release,
  [`GET ${base}/:tag_name/downloads/:direct_asset_path`]: async (world) => {
    const { path } = await release(world)
    return { path: { ...path, direct_asset_path: 'n' } }
  },
  [`POST ${base}`]: withBody(tag, () => ({ tag_name: unique(), ref: 'main' })),
  [`PUT ${base}/:tag_name`]: withBody(release, { name: 'n' }),
  [`DELETE ${base}/:tag_name`]: release,
  'GET /groups/:id/releases': group,
  [`GET ${links}`]: release,
  [`GET ${links}/:link_id`]: release,
  [`POST ${links}`]: withBody(release, newLink),
  [`PUT ${links}/:link_id`]: withBody(release, newLink),
  [`DELETE ${links}/:link_id`]: release,
}
