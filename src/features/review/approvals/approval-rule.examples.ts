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

/** A new rule with a unique name, as a body. */
const withRule =
  (of: Example): Example =>
  async (world, who) => {
    const user_ids = [world.users.maintainer.id]
    return { ...(await of(world, who)), body: { name: unique(), approvals_required: 1, user_ids } }
  }

/** A rule that the example has added. */
const added =
  (of: Example, template: string): Example =>
  async (world, who) => {
    const { path = {}, body } = await withRule(of)(world, who)
    const made = await world.as('owner').post(addressOf(template, path), body)
    return { path: { ...path, approval_rule_id: made.json().id } }
  }

const projectRule = added(project, url)
const requestRule = added(mergeRequest, `${one}/approval_rules`)

export const examples: Examples = {
  'GET /projects/:id/approvals': project,
  'POST /projects/:id/approvals': withBody(project, () => ({ approvals_before_merge: 1 })),
  [`GET ${url}`]: project,
  [`POST ${url}`]: withRule(project),
  [`GET ${url}/:approval_rule_id`]: projectRule,
  [`PUT ${url}/:approval_rule_id`]: withBody(projectRule, () => ({ approvals_required: 2 })),
  [`DELETE ${url}/:approval_rule_id`]: projectRule,
  [`POST ${one}/approvals`]: withBody(mergeRequest, () => ({ approvals_required: 1 })),
  [`PUT ${one}/reset_approvals`]: mergeRequest,
  [`GET ${one}/approval_state`]: mergeRequest,
  [`GET ${one}/approval_rules`]: mergeRequest,
  [`POST ${one}/approval_rules`]: withRule(mergeRequest),
  [`GET ${one}/approval_rules/:approval_rule_id`]: requestRule,
  [`PUT ${one}/approval_rules/:approval_rule_id`]: withBody(requestRule, () => ({
    approvals_required: 2,
  })),
  [`DELETE ${one}/approval_rules/:approval_rule_id`]: requestRule,
}
