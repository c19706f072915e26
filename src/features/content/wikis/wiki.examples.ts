import { type Examples, group, keep } from '../../../../test/kit/examples.ts'
import { multipart } from '../../../../test/kit/form.ts'
import type { World } from '../../../../test/kit/world.ts'

const project = keep(async (world) => ({ path: { id: (await world.newProject()).id } }))

const withPage = (make: typeof group, kind: 'groups' | 'projects') =>
  keep(async (world) => {
    const { path } = await make(world)
    const page = { title: 'A page', content: 'Text' }
    await world.as('owner').post(`/${kind}/${path.id}/wikis`, page)
    return { path: { ...path, slug: 'A-page' } }
  })

function examplesOf(kind: 'groups' | 'projects', owner: typeof group): Examples {
  const page = withPage(owner, kind)
  const base = `/${kind}/:id/wikis`
  let count = 0
  return {
    [`GET ${base}`]: owner,
    [`GET ${base}/:slug`]: page,
    [`GET ${base}/:slug/versions`]: page,
    [`GET ${base}/:slug/diffs`]: page,
    [`POST ${base}`]: async (world: World) => ({
      ...(await owner(world)),
      body: { title: `Page ${++count}`, content: 'Text' },
    }),
    [`POST ${base}/attachments`]: async (world, who) => {
      const { body, options } = multipart({
        file: { filename: 'a.txt', content: Buffer.from('a') },
      })
      const client = world.as(who)
      return {
        ...(await owner(world)),
        client: { ...client, post: (url) => client.post(url, body, options) },
      }
    },
    [`PUT ${base}/:slug`]: async (world) => ({ ...(await page(world)), body: { content: 'New' } }),
    [`DELETE ${base}/:slug`]: page,
  }
}

export const examples: Examples = {
  ...examplesOf('groups', group),
  ...examplesOf('projects', project),
}
