import { randomUUID } from 'node:crypto'
import { type Examples, keep, project, withBody } from '../../../../test/kit/examples.ts'

const body = () => ({ domain: `${randomUUID().slice(0, 8)}.example.org` })

const domain = keep(async (world) => {
  const { id } = world.projects.shut
  const made = await world.as('owner').post(`/projects/${id}/pages/domains`, body())
  return { path: { id: String(id), domain: made.json().domain } }
})

export const examples: Examples = {
  'GET /pages/domains': async () => ({}),
  'GET /projects/:id/pages/domains': project,
  'GET /projects/:id/pages/domains/:domain': domain,
  'POST /projects/:id/pages/domains': async (world) => ({
    ...(await project(world)),
    body: body(),
  }),
  'PUT /projects/:id/pages/domains/:domain': withBody(domain, { auto_ssl_enabled: true }),
  'PUT /projects/:id/pages/domains/:domain/verify': domain,
  'DELETE /projects/:id/pages/domains/:domain': domain,
}
