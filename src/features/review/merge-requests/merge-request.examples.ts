import {
  commit,
  type Examples,
  group,
  keep,
  nothing,
  project,
  unique,
  withBody,
} from '../../../../test/kit/examples.ts'

const branches = keep(async (world) => {
  const files = { '.gitlab-ci.yml': '{"build":{"script":"x","only":["merge_requests"]}}' }
  const { id } = await world.newProject({ files })
  return { path: { id } }
})

/** A merge request by a Maintainer, from a branch of its own. */
const request = keep(async (world) => {
  const { path } = await branches(world)
  const source_branch = unique()
  const start = { branch: source_branch, start_branch: 'main', commit_message: 'c' }
  const actions = [{ action: 'create', file_path: source_branch, content: 'b' }]
  const commits = `/projects/${path.id}/repository/commits`
  await world.as('owner').post(commits, { ...start, actions })
  const body = { title: 't', source_branch, target_branch: 'main' }
  const made = await world.as('maintainer').post(`/projects/${path.id}/merge_requests`, body)
  return { path: { ...path, merge_request_iid: made.json().iid } }
})

const approved = keep(async (world) => {
  const made = await request(world)
  const { id, merge_request_iid } = made.path
  for (const who of ['developer', 'maintainer', 'owner', 'admin'] as const) {
    await world.as(who).post(`/projects/${id}/merge_requests/${merge_request_iid}/approve`)
  }
  return made
})

const version = keep(async (world) => {
  const { path } = await request(world)
  const url = `/projects/${path.id}/merge_requests/${path.merge_request_iid}/versions`
  const [newest] = (await world.as('owner').get(url)).json()
  return { path: { ...path, version_id: newest.id } }
})

const list = '/projects/:id/merge_requests'
const one = `${list}/:merge_request_iid`

export const examples: Examples = {
  'GET /merge_requests': withBody(nothing, { scope: 'all' }),
  'GET /groups/:id/merge_requests': group,
  'GET /projects/:id/repository/commits/:sha/merge_requests': commit,
  [`GET ${list}`]: project,
  [`POST ${list}`]: withBody(branches, () => ({
    title: 't',
    source_branch: unique(),
    target_branch: 'main',
  })),
  [`GET ${one}`]: request,
  [`PUT ${one}`]: withBody(request, { title: 'u' }),
  [`DELETE ${one}`]: request,
  [`GET ${one}/participants`]: request,
  [`POST ${one}/subscribe`]: request,
  [`POST ${one}/unsubscribe`]: request,
  [`GET ${one}/time_stats`]: request,
  [`POST ${one}/time_estimate`]: withBody(request, { duration: '1h' }),
  [`POST ${one}/reset_time_estimate`]: request,
  [`POST ${one}/add_spent_time`]: withBody(request, { duration: '1h' }),
  [`POST ${one}/reset_spent_time`]: request,
  [`GET ${one}/commits`]: request,
  [`GET ${one}/changes`]: request,
  [`GET ${one}/diffs`]: request,
  [`GET ${one}/raw_diffs`]: request,
  [`GET ${one}/versions`]: request,
  [`GET ${one}/versions/:version_id`]: version,
  [`GET ${one}/closes_issues`]: request,
  [`GET ${one}/approvals`]: request,
  [`POST ${one}/approve`]: request,
  [`POST ${one}/unapprove`]: approved,
  [`GET ${one}/merge_ref`]: request,
  [`GET ${one}/pipelines`]: request,
  [`POST ${one}/pipelines`]: request,
  [`PUT ${one}/rebase`]: request,
  [`PUT ${one}/merge`]: request,
  [`POST ${one}/cancel_merge_when_pipeline_succeeds`]: request,
}
