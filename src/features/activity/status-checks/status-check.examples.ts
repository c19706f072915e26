import {
  addressOf,
  type Example,
  type Examples,
  mergeRequest,
  project,
  unique,
  withBody,
} from '../../../../test/kit/examples.ts'

const url = '/projects/:id/external_status_checks'
const one = '/projects/:id/merge_requests/:merge_request_iid'
const body = () => ({ name: unique(), external_url: 'https://checks.example.com/' })

const check: Example = async (world) => {
  const { path } = await project(world)
  const made = await world.as('owner').post(addressOf(url, path), body())
  return { path: { ...path, check_id: made.json().id } }
}

const requestCheck: Example = async (world) => {
  const { path } = await mergeRequest(world)
  const client = world.as('owner')
  const made = await client.post(addressOf(url, path), body())
  const { sha } = (await client.get(addressOf(one, path))).json()
  const id = made.json().id
  const answer = { sha, external_status_check_id: id, status: 'failed' }
  await client.post(addressOf(`${one}/status_check_responses`, path), answer)
  return { path: { ...path, external_status_check_id: id }, body: answer }
}

export const examples: Examples = {
  [`GET ${url}`]: project,
  [`POST ${url}`]: withBody(project, body),
  [`PUT ${url}/:check_id`]: withBody(check, () => ({ name: unique() })),
  [`DELETE ${url}/:check_id`]: check,
  [`GET ${one}/status_checks`]: mergeRequest,
  [`POST ${one}/status_check_responses`]: async (world, who) => {
    const { path, body } = await requestCheck(world, who)
    const { external_status_check_id: _, ...rest } = path ?? {}
    return { path: rest, body }
  },
  [`POST ${one}/status_checks/:external_status_check_id/retry`]: async (world, who) => {
    const { path } = await requestCheck(world, who)
    return { path }
  },
}
