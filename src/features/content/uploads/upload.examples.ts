import { type Examples, keep, project } from '../../../../test/kit/examples.ts'
import { multipart } from '../../../../test/kit/form.ts'
import type { World } from '../../../../test/kit/world.ts'

async function newUpload(world: World) {
  const { path } = await project(world)
  const { body, options } = multipart({ file: { filename: 'a.txt', content: Buffer.from('a') } })
  const url = `/projects/${path.id}/uploads`
  const made = await world.as('admin').post(url, body, options)
  const [{ id }] = (await world.as('admin').get(url)).json()
  const [, , secret = '', filename = ''] = made.json().url.split('/')
  return { path, upload_id: id, address: { secret, filename } }
}

const byId = keep(async (world) => {
  const { path, upload_id } = await newUpload(world)
  return { path: { ...path, upload_id } }
})
const byAddress = keep(async (world) => {
  const { path, address } = await newUpload(world)
  return { path: { ...path, ...address } }
})

export const examples: Examples = {
  'GET /projects/:id/uploads': project,
  'GET /projects/:id/uploads/:upload_id': byId,
  'GET /projects/:id/uploads/:secret/:filename': byAddress,
  'POST /projects/:id/uploads': async (world, who) => {
    const { body, options } = multipart({ file: { filename: 'a.txt', content: Buffer.from('a') } })
    const client = world.as(who)
    return {
      ...(await project(world)),
      client: { ...client, post: (url) => client.post(url, body, options) },
    }
  },
  'DELETE /projects/:id/uploads/:upload_id': byId,
  'DELETE /projects/:id/uploads/:secret/:filename': byAddress,
}
