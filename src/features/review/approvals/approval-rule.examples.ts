import {
  addressOf,
  type Example,
  type Examples,
  mergeRequest,
  project,
  unique,
  withBody,
} from '../../../../test/kit/examples.ts'

const url = '/projects/:id/approval_rules'
const one = '/projects/:id/merge_requests/:merge_request_iid'
const body = () => ({ name: unique(), approvals_required: 1 })

const projectRule: Example = async (world) => {
  const { path } = await project(world)
  const made = await world.as('owner').post(addressOf(url, path), body())
  return { path: { ...path, approval_rule_id: made.json().id } }
}

const requestRule: Example = async (world) => {
  const { path } = await mergeRequest(world)
  const made = await world.as('owner').post(addressOf(`${one}/approval_rules`, path), body())
  return { path: { ...path, approval_rule_id: made.json().id } }
}

export const examples: Examples = {
  'GET /projects/:id/approvals': project,
  'POST /projects/:id/approvals': withBody(project, () => ({ approvals_before_merge: 1 })),
  [`GET ${url}`]: project,
  [`POST ${url}`]: withBody(project, body),
  [`GET ${url}/:approval_rule_id`]: projectRule,
  [`PUT ${url}/:approval_rule_id`]: withBody(projectRule, () => ({ approvals_required: 2 })),
  [`DELETE ${url}/:approval_rule_id`]: projectRule,
  [`POST ${one}/approvals`]: withBody(mergeRequest, () => ({ approvals_required: 1 })),
  [`PUT ${one}/reset_approvals`]: mergeRequest,
  [`GET ${one}/approval_state`]: mergeRequest,
  [`GET ${one}/approval_rules`]: mergeRequest,
  [`POST ${one}/approval_rules`]: withBody(mergeRequest, body),
  [`GET ${one}/approval_rules/:approval_rule_id`]: requestRule,
  [`PUT ${one}/approval_rules/:approval_rule_id`]: withBody(requestRule, () => ({
    approvals_required: 2,
  })),
  [`DELETE ${one}/approval_rules/:approval_rule_id`]: requestRule,
}
