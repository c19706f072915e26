import {
  addressOf,
  commit,
  type Example,
  type Examples,
  withBody,
} from '../../../../test/kit/examples.ts'

const url = '/projects/:id/repository/commits/:sha/discussions'

/** A thread by the project's owner. */
const thread: Example = async (world) => {
  const { path } = await commit(world)
  const made = (await world.as('owner').post(addressOf(url, path), { body: 'A thread' })).json()
  return { path: { ...path, discussion_id: made.id, note_id: made.notes[0].id } }
}

export const examples: Examples = {
  [`GET ${url}`]: commit,
  [`POST ${url}`]: withBody(commit, { body: 'A thread' }),
  [`GET ${url}/:discussion_id`]: thread,
  [`POST ${url}/:discussion_id/notes`]: withBody(thread, { body: 'An answer' }),
  [`GET ${url}/:discussion_id/notes/:note_id`]: thread,
  [`PUT ${url}/:discussion_id/notes/:note_id`]: withBody(thread, { body: 'Changed' }),
  [`DELETE ${url}/:discussion_id/notes/:note_id`]: thread,
}
