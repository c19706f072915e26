import {
  addressOf,
  type Examples,
  issue,
  keep,
  mergeRequest,
  withBody,
} from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

for (const [url, parent] of [
  ['/projects/:id/issues/:issue_iid', issue],
  ['/projects/:id/merge_requests/:merge_request_iid', mergeRequest],
] as const) {
  const note = keep(async (world) => {
    const { path } = await parent(world)
    const made = await world.as('owner').post(addressOf(`${url}/notes`, path), { body: 'n' })
    return { path: { ...path, note_id: made.json().id } }
  })
  const thread = keep(async (world) => {
    const { path } = await parent(world)
    const made = await world.as('owner').post(addressOf(`${url}/discussions`, path), { body: 'n' })
    const { id, notes } = made.json()
    return { path: { ...path, discussion_id: id, note_id: notes[0].id } }
  })
  const threads = `${url}/discussions`
  const text = { body: 'text' }
  examples[`GET ${url}/notes`] = parent
  examples[`GET ${url}/notes/:note_id`] = note
  examples[`POST ${url}/notes`] = withBody(parent, text)
  examples[`PUT ${url}/notes/:note_id`] = withBody(note, text)
  examples[`DELETE ${url}/notes/:note_id`] = note
  examples[`GET ${threads}`] = parent
  examples[`GET ${threads}/:discussion_id`] = thread
  examples[`POST ${threads}`] = withBody(parent, text)
  examples[`GET ${threads}/:discussion_id/notes`] = thread
  examples[`POST ${threads}/:discussion_id/notes`] = withBody(thread, text)
  examples[`GET ${threads}/:discussion_id/notes/:note_id`] = thread
  examples[`PUT ${threads}/:discussion_id/notes/:note_id`] = withBody(thread, text)
  examples[`DELETE ${threads}/:discussion_id/notes/:note_id`] = thread
  examples[`PUT ${threads}/:discussion_id`] = withBody(thread, { resolved: true })
}
