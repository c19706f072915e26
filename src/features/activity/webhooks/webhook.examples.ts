import {
  type Examples,
  group,
  keep,
  nothing,
  project,
  withBody,
  withPath,
} from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

// Connections to this port are refused at once.
const url = 'http://127.0.0.1:9/hook'

for (const [base, parent] of [
  ['/projects/:id/hooks', project],
  ['/groups/:id/hooks', group],
  ['/hooks', nothing],
] as const) {
  const webhook = keep(async (world) => {
    const { path } = await parent(world)
    const at = base.replace(':id', String(path.id))
    await world.as('admin').put('/application/settings', {
      allow_local_requests_from_web_hooks_and_services: true,
    })
    const made = await world.as('admin').post(at, { url })
    return { path: { ...path, hook_id: made.json().id } }
  })
  examples[`GET ${base}`] = parent
  examples[`GET ${base}/:hook_id`] = webhook
  examples[`POST ${base}`] = withBody(parent, { url: 'https://hooks.example.com/x' })
  examples[`PUT ${base}/:hook_id`] = withBody(webhook, { push_events: false })
  examples[`DELETE ${base}/:hook_id`] = webhook
  examples[`GET ${base}/:hook_id/events`] = webhook
  examples[`POST ${base}/:hook_id/events/:hook_event_id/resend`] = withPath(webhook, () => ({
    hook_event_id: 1,
  }))
  if (base !== '/hooks') {
    examples[`POST ${base}/:hook_id/test/:trigger`] = withPath(webhook, () => ({
      trigger: 'wiki_page_events',
    }))
  } else examples['POST /hooks/:hook_id'] = webhook
}
