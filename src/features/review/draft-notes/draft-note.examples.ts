import {
  addressOf,
  type Example,
  type Examples,
  mergeRequest,
  withBody,
} from '../../../../test/kit/examples.ts'

const url = '/projects/:id/merge_requests/:merge_request_iid/draft_notes'

/** A draft of the caller, if they may have one. */
const draft: Example = async (world, who) => {
  const { path } = await mergeRequest(world)
  const made = await world.as(who).post(addressOf(url, path), { note: 'A draft' })
  return { path: { ...path, draft_note_id: made.json().id ?? 1 } }
}

export const examples: Examples = {
  [`GET ${url}`]: mergeRequest,
  [`GET ${url}/:draft_note_id`]: draft,
  [`POST ${url}`]: withBody(mergeRequest, { note: 'A draft' }),
  [`PUT ${url}/:draft_note_id`]: withBody(draft, { note: 'Changed' }),
  [`DELETE ${url}/:draft_note_id`]: draft,
  [`PUT ${url}/:draft_note_id/publish`]: draft,
  [`POST ${url}/bulk_publish`]: draft,
}
