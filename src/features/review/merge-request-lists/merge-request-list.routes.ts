import { Type } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import { anyone } from '../../../access/rule.ts'
import { type Context, endpoint, endpointFactory, type Permission } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  oneOf,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { unauthorized } from '../../../kernel/errors.ts'
import { groupLoader } from '../../../subjects/group.ts'
import { mayReadMergeRequests } from '../../../subjects/issuable.ts'
import { projectLoader } from '../../../subjects/project.ts'
import {
  type IssuableFilterInput,
  issuableFilterInput,
  issuableFilterParameterRules,
  sortDirectionInput,
} from '../../planning/issuables/list-filter.ts'
import { type IssuableListPlace, listIssuables } from '../../planning/issuables/list-issuables.ts'
import { enqueueMergeabilityChecks } from '../merge-requests/merge-request.tasks.ts'
import {
  BasicMergeRequestJson,
  SimpleMergeRequestJson,
  showMergeRequests,
  showSimpleMergeRequests,
} from '../merge-requests/show-requests.ts'
import { type MergeRequestFilter, mergeRequestFilterConditions } from './list-requests.ts'

const tag = 'Merge requests'

const inProject = endpointFactory({ tag, on: projectLoader })

const inGroup = endpointFactory({ tag, on: groupLoader })

const orders = [
  'created_at',
  'updated_at',
  'merged_at',
  'title',
  'priority',
  'label_priority',
  'milestone_due',
  'popularity',
] as const

const states = ['opened', 'closed', 'locked', 'merged', 'all'] as const

const listInput = {
  state: Type.Optional(oneOf(states, { default: 'all' })),
  ...issuableFilterInput,
  source_branch: optionalText,
  target_branch: optionalText,
  source_project_id: optionalInteger,
  reviewer_id: Type.Optional(Type.String({ description: 'The id of a user, or `None` or `Any`.' })),
  reviewer_username: optionalText,
  wip: Type.Optional(oneOf(['yes', 'no'])),
  view: Type.Optional(oneOf(['simple'])),
  with_merge_status_recheck: optionalBoolean,
  with_changes_requested: optionalBoolean,
  order_by: Type.Optional(oneOf(orders, { default: 'created_at' })),
  ...sortDirectionInput,
  ...pageInput,
}

const archivedInput = { non_archived: Type.Optional(Type.Boolean({ default: true })) }

type ListInput = IssuableFilterInput &
  MergeRequestFilter & {
    state?: string
    view?: 'simple'
    with_merge_status_recheck?: boolean
    with_changes_requested?: boolean
    order_by?: (typeof orders)[number]
    sort?: 'asc' | 'desc'
  }

type Viewing = Pick<
  Context<unknown, unknown>,
  'db' | 'actor' | 'range' | 'clock' | 'config' | 'baseUrl'
>

async function listed(
  context: Viewing,
  { input, place, within }: { input: ListInput; place: IssuableListPlace; within?: string },
): Promise<Page> {
  const { db, actor, range, clock } = context
  const asked = {
    kind: 'merge_request' as const,
    viewer: actor,
    place,
    filter: { ...input, own: mergeRequestFilterConditions(input) },
    today: today(clock),
  }
  const { order_by: order, sort } = input
  const { rows, total } = await listIssuables(db, { ...asked, order, sort }, range)
  if (input.view === 'simple') {
    return new Page({ items: await showSimpleMergeRequests(context, rows), total })
  }
  const withLabelDetails = input.with_labels_details ?? false
  const items = await showMergeRequests(context, rows, {
    withLabelDetails,
    withChangesRequested: input.with_changes_requested,
    within,
  })
  if (input.with_merge_status_recheck) await enqueueMergeabilityChecks(context, items)
  return new Page({ items, total })
}

const ListJson = Type.Array(Type.Union([BasicMergeRequestJson, SimpleMergeRequestJson]))

/** The default scope is the caller's own merge requests. */
const scopeOf = ({ scope = 'created_by_me' }: ListInput) => scope

/** Anonymous callers must request the scope `all`, since they have no merge requests of their own. */
function mayListEverywhere({ actor, input }: { actor: Actor; input: ListInput }): Permission {
  return actor.user !== undefined || scopeOf(input) === 'all' || unauthorized()
}

function everywhere(input: ListInput): ListInput {
  return { ...input, scope: scopeOf(input) }
}

export const mergeRequestListEndpoints = [
  endpoint({
    tag,
    route: 'GET /merge_requests',
    summary: 'List merge requests of all projects, by default those you created',
    signIn: 'for-writes',
    allow: anyone,
    input: Type.Object({ ...listInput, ...archivedInput }),
    rules: issuableFilterParameterRules,
    answer: ListJson,
    authorize: mayListEverywhere,
    run(context) {
      const withArchived = context.input.non_archived === false
      const place = { everywhere: true, withArchived } as const
      return listed(context, { input: everywhere(context.input), place })
    },
  }),

  inGroup({
    route: 'GET /groups/:id/merge_requests',
    summary: 'List the merge requests of a group and its subgroups',
    allow: anyone,
    input: Type.Object({ ...listInput, ...archivedInput }),
    rules: issuableFilterParameterRules,
    answer: ListJson,
    run(context) {
      const { subject: group, input } = context
      const place = { group_id: group.id, withArchived: input.non_archived === false }
      return listed(context, { input, place, within: group.full_path })
    },
  }),

  inProject({
    route: 'GET /projects/:id/merge_requests',
    summary: 'List the merge requests of a project',
    allow: mayReadMergeRequests,
    input: Type.Object(listInput),
    rules: issuableFilterParameterRules,
    answer: ListJson,
    run(context) {
      const { subject: project, input } = context
      return listed(context, { input, place: { inProject: context }, within: project.full_path })
    },
  }),
]
