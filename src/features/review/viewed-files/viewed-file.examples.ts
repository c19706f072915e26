import {
  addressOf,
  type Example,
  type Examples,
  mergeRequest,
  withBody,
} from '../../../../test/kit/examples.ts'

const url = '/projects/:id/merge_requests/:merge_request_iid/viewed_files'
const file = { path: 'a', head_sha: 'a'.repeat(40) }

/** A file that the caller has marked as viewed, if they may. */
const viewed: Example = async (world, who) => {
  const { path } = await mergeRequest(world)
  await world.as(who).put(addressOf(url, path), file)
  return { path, body: { path: file.path } }
}

export const examples: Examples = {
  [`GET ${url}`]: mergeRequest,
  [`PUT ${url}`]: withBody(mergeRequest, file),
  [`DELETE ${url}`]: viewed,
}
