import { type Examples, keep, project, unique } from '../../../../test/kit/examples.ts'
import { multipart } from '../../../../test/kit/form.ts'

const form = () =>
  multipart({ name: unique(), file: { filename: 'a.jks', content: Buffer.from('a') } })
const secureFile = keep(async (world) => {
  const { path } = await project(world)
  const { body, options } = form()
  const made = await world.as('owner').post(`/projects/${path.id}/secure_files`, body, options)
  return { path: { ...path, secure_file_id: made.json().id } }
})
const base = '/projects/:id/secure_files'

export const examples: Examples = {
  [`GET ${base}`]: project,
  [`GET ${base}/:secure_file_id`]: secureFile,
  [`GET ${base}/:secure_file_id/download`]: secureFile,
  [`POST ${base}`]: async (world, who) => {
    const { body, options } = form()
    const client = world.as(who)
    return {
      ...(await project(world)),
      client: { ...client, post: (url) => client.post(url, body, options) },
    }
  },
  [`DELETE ${base}/:secure_file_id`]: secureFile,
}
