import { type Examples, keep, nothing, withBody } from '../../../../test/kit/examples.ts'
import { newSite } from '../../../../test/kit/sites.ts'

const site = keep(async (world) => {
  const { project } = await newSite(world, { 'public/index.html': 'Home' })
  return { path: { id: project.id } }
})

export const examples: Examples = {
  'GET /pages/sites': nothing,
  'GET /projects/:id/pages': site,
  'PATCH /projects/:id/pages': withBody(site, { pages_https_only: false }),
  'DELETE /projects/:id/pages': site,
}
