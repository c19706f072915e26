import { addressOf, type Example, type Examples, keep } from '../../../../test/kit/examples.ts'
import { newRequest } from '../../../../test/kit/merge-requests.ts'

const url = '/projects/:id/merge_requests/:merge_request_iid/conflicts'

/** A merge request that changes the same line of a file as its target. */
const conflicted = keep(async (world) => {
  const { id } = await world.newProject({ files: { list: 'one\n' } })
  const commit = (branch: string, more: object = {}) =>
    world.as('owner').post(`/projects/${id}/repository/commits`, {
      branch,
      commit_message: 'Change',
      actions: [{ action: 'update', file_path: 'list', content: `${branch}\n` }],
      ...more,
    })
  await commit('topic', { start_branch: 'main' })
  const place = { url: `/projects/${id}/merge_requests` }
  const made = await newRequest(world, place, { who: 'owner' })
  await commit('main')
  return { path: { id, merge_request_iid: made.iid } }
})

const resolved: Example = async (world) => {
  const { path } = await conflicted(world)
  const { source_sha, target_sha } = (await world.as('admin').get(addressOf(url, path))).json()
  const files = [{ path: 'list', sections: [{ id: '0', use: 'ours' }] }]
  return { path, body: { source_sha, target_sha, files } }
}

export const examples: Examples = {
  [`GET ${url}`]: conflicted,
  [`POST ${url}`]: resolved,
}
