import {
  addressOf,
  type Examples,
  type Fixture,
  issue,
  keep,
  mergeRequest,
  withBody,
} from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

const note = (url: string, parent: Fixture) =>
  keep(async (world) => {
    const { path } = await parent(world)
    const made = await world.as('owner').post(addressOf(`${url}/notes`, path), { body: 'n' })
    return { path: { ...path, note_id: made.json().id } }
  })

for (const [thing, parent] of [
  ['/projects/:id/issues/:issue_iid', issue],
  ['/projects/:id/merge_requests/:merge_request_iid', mergeRequest],
] as const) {
  examples[`GET ${thing}/note_award_emoji`] = parent
  for (const [awarded, of] of [
    [thing, parent],
    [`${thing}/notes/:note_id`, note(thing, parent)],
  ] as const) {
    const url = `${awarded}/award_emoji`
    const award = keep(async (world) => {
      const { path } = await of(world)
      const made = await world.as('owner').post(addressOf(url, path), { name: 'tada' })
      return { path: { ...path, award_id: made.json().id } }
    })
    examples[`GET ${url}`] = of
    examples[`GET ${url}/:award_id`] = award
    examples[`POST ${url}`] = withBody(of, { name: 'thumbsup' })
    examples[`DELETE ${url}/:award_id`] = award
  }
}
