import { type Examples, group, keep, project } from '../../../../test/kit/examples.ts'
import { multipart, png } from '../../../../test/kit/form.ts'

export const examples: Examples = {}

for (const [url, parent] of [
  ['/projects/:id', project],
  ['/groups/:id', group],
] as const) {
  examples[`GET ${url}/avatar`] = keep(async (world) => {
    const { path } = await parent(world)
    const { body, options } = multipart({ avatar: { filename: 'a.png', content: png() } })
    await world.as('admin').put(url.replace(':id', String(path.id)), body, options)
    return { path }
  })
}
