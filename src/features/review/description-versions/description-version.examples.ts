import {
  addressOf,
  type Examples,
  issue,
  keep,
  mergeRequest,
} from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

for (const [url, parent] of [
  ['/projects/:id/issues/:issue_iid', issue],
  ['/projects/:id/merge_requests/:merge_request_iid', mergeRequest],
] as const) {
  let count = 0
  const version = keep(async (world) => {
    const { path } = await parent(world)
    const description = `Text ${++count}`
    await world.as('owner').put(addressOf(url, path), { description })
    const notes = await world.as('owner').get(addressOf(`${url}/notes`, path))
    return { path: { ...path, note_id: notes.json()[0].id } }
  })
  examples[`GET ${url}/notes/:note_id/description_version`] = version
  examples[`DELETE ${url}/notes/:note_id/description_version`] = version
}
