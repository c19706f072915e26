import {
  addressOf,
  type Examples,
  issue,
  keep,
  mergeRequest,
  unique,
} from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

for (const [url, parent] of [
  ['/projects/:id/issues/:issue_iid', issue],
  ['/projects/:id/merge_requests/:merge_request_iid', mergeRequest],
] as const) {
  const changed = keep(async (world) => {
    const { path } = await parent(world)
    const client = world.as('owner')
    const milestone = await client.post(`/projects/${path.id}/milestones`, { title: unique() })
    const milestone_id = milestone.json().id
    const weight = url.includes('issue_iid') ? { weight: 3 } : {}
    const change = { labels: unique(), milestone_id, state_event: 'close', ...weight }
    await client.put(addressOf(url, path), change)
    return { path }
  })
  const kinds = ['label', 'milestone', 'state', ...(url.includes('issue_iid') ? ['weight'] : [])]
  for (const kind of kinds) {
    const list = `${url}/resource_${kind}_events`
    examples[`GET ${list}`] = changed
    examples[`GET ${list}/:event_id`] = async (world) => {
      const { path } = await changed(world)
      const events = await world.as('owner').get(addressOf(list, path))
      return { path: { ...path, event_id: events.json()[0].id } }
    }
  }
}
