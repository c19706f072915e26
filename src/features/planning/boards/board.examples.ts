import { type Examples, group, keep, project, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

for (const [url, parent, labels] of [
  ['/projects/:id/boards', project, '/projects/:id/labels'],
  ['/groups/:id/boards', group, '/groups/:id/labels'],
] as const) {
  const board = keep(async (world) => {
    const { path } = await parent(world)
    const at = (route: string) => route.replace(':id', String(path.id))
    const client = world.as('admin')
    const made = await client.post(at(url), { name: 'b' })
    const label = async () =>
      (await client.post(at(labels), { name: `l-${Math.random()}`, color: 'red' })).json().id
    const list = await client.post(`${at(url)}/${made.json().id}/lists`, {
      label_id: await label(),
    })
    const path_ids = { board_id: made.json().id, list_id: list.json().id, other: await label() }
    return { path: { ...path, ...path_ids } }
  })
  examples[`GET ${url}`] = parent
  examples[`GET ${url}/:board_id`] = board
  examples[`POST ${url}`] = withBody(parent, { name: 'c' })
  examples[`PUT ${url}/:board_id`] = withBody(board, { name: 'd' })
  examples[`DELETE ${url}/:board_id`] = board
  examples[`GET ${url}/:board_id/lists`] = board
  examples[`GET ${url}/:board_id/lists/:list_id`] = board
  examples[`POST ${url}/:board_id/lists`] = async (world) => {
    const { path } = await board(world)
    return { path, body: { label_id: path.other } }
  }
  examples[`PUT ${url}/:board_id/lists/:list_id`] = withBody(board, { position: 0 })
  examples[`DELETE ${url}/:board_id/lists/:list_id`] = board
}
