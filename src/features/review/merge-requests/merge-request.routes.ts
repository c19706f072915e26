import { Type } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import { anyone } from '../../../access/rule.ts'
import { checkUnmodified } from '../../../http/conditional.ts'
import { type Context, endpoint, endpointsWith, type Permission } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf, notBlank, type ParameterRule } from '../../../http/parameters.ts'
import {
  nullable,
  nullableText,
  oneOf,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { recordNotFound, unauthorized } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { aGroup } from '../../../subjects/group.ts'
import {
  aMergeRequest,
  findIssuable,
  type IssuableSubject,
  readIssuable,
  readMergeRequests,
  removeIssuable,
  updateIssuable,
} from '../../../subjects/issuable.ts'
import { aProject, findVisibleProject, type Project, pushCode } from '../../../subjects/project.ts'
import {
  changedLabelsInput,
  type IssuableFields,
  labelsInput,
  readLabelFields,
} from '../../planning/issuables/issuable-fields.ts'
import {
  type FilterInput,
  filterInput,
  filterRules,
  sortInput,
} from '../../planning/issuables/list-filter.ts'
import { type ListPlace, listIssuables } from '../../planning/issuables/list-issuables.ts'
import { removeIssuableRow } from '../../planning/issuables/remove-issuable.ts'
import { presentAbilities, sharedEndpoints } from '../../planning/issuables/shared-endpoints.ts'
import { mayResolveThreads } from '../notes/may-resolve.ts'
import { changeRequest } from './change-request.ts'
import { createRequest } from './create-request.ts'
import { enqueueRefRemoval } from './delete-request-refs.ts'
import { type OwnFilter, ownConditions } from './list-requests.ts'
import { proposeInto } from './merge-request.policy.ts'
import { enqueueMergeChecks } from './merge-request.tasks.ts'
import { RequestJson, showRequest } from './show-request.ts'
import { BasicRequestJson, SimpleRequestJson, showRequests, showSimple } from './show-requests.ts'

const tag = 'Merge requests'
const inProject = endpointsWith({ tag, on: aProject })
const inGroup = endpointsWith({ tag, on: aGroup })
const onRequest = endpointsWith({ tag, on: aMergeRequest })

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
  ...filterInput,
  source_branch: optionalText,
  target_branch: optionalText,
  source_project_id: optionalInteger,
  reviewer_id: Type.Optional(Type.String({ description: 'The id of a user, or `None` or `Any`.' })),
  reviewer_username: optionalText,
  wip: Type.Optional(oneOf(['yes', 'no'])),
  view: Type.Optional(oneOf(['simple'])),
  with_merge_status_recheck: optionalBoolean,
  order_by: Type.Optional(oneOf(orders, { default: 'created_at' })),
  ...sortInput,
  ...pageInput,
}
const archivedInput = { non_archived: Type.Optional(Type.Boolean({ default: true })) }

type ListInput = FilterInput &
  OwnFilter & {
    state?: string
    view?: 'simple'
    with_merge_status_recheck?: boolean
    order_by?: (typeof orders)[number]
    sort?: 'asc' | 'desc'
  }
type Viewing = Pick<
  Context<unknown, unknown>,
  'db' | 'actor' | 'range' | 'clock' | 'config' | 'baseUrl'
>

async function listed(
  context: Viewing,
  { input, place, within }: { input: ListInput; place: ListPlace; within?: string },
): Promise<Page> {
  const { db, actor, range, clock } = context
  const asked = {
    kind: 'merge_request' as const,
    viewer: actor,
    place,
    filter: { ...input, own: ownConditions(input) },
    today: today(clock),
  }
  const { order_by: order, sort } = input
  const { rows, total } = await listIssuables(db, { ...asked, order, sort }, range)
  if (input.view === 'simple') {
    return new Page({ items: await showSimple(context, rows), total })
  }
  const withLabelDetails = input.with_labels_details ?? false
  const items = await showRequests(context, rows, { withLabelDetails, within })
  if (input.with_merge_status_recheck) await enqueueMergeChecks(context, items)
  return new Page({ items, total })
}

const ListJson = Type.Array(Type.Union([BasicRequestJson, SimpleRequestJson]))

/** Without a scope, the caller's own. */
const scopeOf = ({ scope = 'created_by_me' }: ListInput) => scope

/** Without a sign-in nobody has any of their own. */
function mayListEverywhere({ actor, input }: { actor: Actor; input: ListInput }): Permission {
  return actor.user !== undefined || scopeOf(input) === 'all' || unauthorized()
}

function everywhere(input: ListInput): ListInput {
  return { ...input, scope: scopeOf(input) }
}

const idsInput = Type.Optional(nullable(Type.Array(Type.Integer())))
const detailsInput = {
  description: Type.Optional(nullableText),
  assignee_id: Type.Optional(nullable(Type.Integer())),
  assignee_ids: idsInput,
  reviewer_ids: idsInput,
  ...labelsInput,
  milestone_id: Type.Optional(nullable(Type.Integer())),
  remove_source_branch: optionalBoolean,
  allow_collaboration: optionalBoolean,
  allow_maintainer_to_push: optionalBoolean,
  squash: optionalBoolean,
}

type DetailsInput = {
  description?: string | null
  assignee_id?: number | null
  assignee_ids?: number[] | null
  reviewer_ids?: number[] | null
  labels?: string[] | null
  add_labels?: string[] | null
  remove_labels?: string[] | null
  milestone_id?: number | null
  remove_source_branch?: boolean
  allow_collaboration?: boolean
  allow_maintainer_to_push?: boolean
  squash?: boolean
}

/** The fields it shares with issues, and its own. */
function sorted(input: DetailsInput) {
  const { assignee_id, assignee_ids, reviewer_ids, milestone_id, description } = input
  const ids =
    assignee_ids === undefined && assignee_id !== undefined ? [assignee_id ?? 0] : assignee_ids
  const fields: IssuableFields = {
    ...(description !== undefined && { description }),
    ...(ids !== undefined && { assignee_ids: ids ?? [] }),
    ...readLabelFields(input),
    ...(milestone_id !== undefined && { milestone_id }),
  }
  return {
    fields,
    reviewer_ids: reviewer_ids === undefined ? undefined : (reviewer_ids ?? []),
    remove_source_branch: input.remove_source_branch,
    allow_collaboration: input.allow_collaboration ?? input.allow_maintainer_to_push,
    squash: input.squash,
  }
}

/** The project it goes into, and the caller's level there; 404 for one that is not there. */
async function getTarget(
  { db, actor, subject: source, level }: Context<Project, unknown>,
  id: number | null | undefined,
): Promise<{ subject: Project; level: number }> {
  const found =
    id == null || id === source.id
      ? { project: source, level }
      : await findVisibleProject(db, actor, { id })
  if (!found) throw recordNotFound()
  return { subject: found.project, level: found.level }
}

/** What one merge request answers after a change, read anew. */
async function showChanged(context: Context<IssuableSubject, unknown>) {
  const { db, actor, subject } = context
  const found = await findIssuable(db, actor, { id: subject.issuable.id })
  return showRequest(context, subject, found?.issuable ?? subject.issuable)
}

const somethingToChange = atLeastOneOf(
  'assignee_id',
  'assignee_ids',
  'reviewer_ids',
  'description',
  'labels',
  'add_labels',
  'remove_labels',
  'milestone_id',
  'remove_source_branch',
  'allow_collaboration',
  'allow_maintainer_to_push',
  'squash',
  'target_branch',
  'title',
  'state_event',
  'discussion_locked',
)

/** `X is empty` for null, which must not be mistaken for a parameter that was not sent. */
const notNull =
  (name: string): ParameterRule =>
  (values) =>
    ownValue(values, name) === null ? `${name} is empty` : undefined

export const mergeRequestEndpoints = [
  endpoint({
    tag,
    route: 'GET /merge_requests',
    summary: 'List merge requests of all projects, by default those one has made',
    signIn: 'for-writes',
    allow: anyone,
    input: Type.Object({ ...listInput, ...archivedInput }),
    rules: filterRules,
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
    summary: 'List the merge requests of the projects of a group and below it',
    allow: anyone,
    input: Type.Object({ ...listInput, ...archivedInput }),
    rules: filterRules,
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
    allow: readMergeRequests,
    input: Type.Object(listInput),
    rules: filterRules,
    answer: ListJson,
    run(context) {
      const { subject: project, input } = context
      const place = { project_id: project.id, trustsAll: true }
      return listed(context, { input, place, within: project.full_path })
    },
  }),

  inProject({
    route: 'POST /projects/:id/merge_requests',
    summary: 'Create a merge request from a branch of the project',
    allow: pushCode,
    transaction: 'none',
    body_bytes_max: limits.issuable_body_bytes,
    input: Type.Object({
      title: Type.String(),
      source_branch: Type.String(),
      target_branch: Type.String(),
      target_project_id: Type.Optional(nullable(Type.Integer())),
      approvals_before_merge: Type.Optional(Type.Integer({ minimum: 0 })),
      ...detailsInput,
    }),
    status: 201,
    answer: RequestJson,
    load: (context) => getTarget(context, context.input.target_project_id),
    authorize: ({ actor, loaded: target }) => proposeInto({ ...target, actor }),
    async run(context) {
      const { subject: source, input } = context
      const { title, source_branch, target_branch, target_project_id: _, ...rest } = input
      const { approvals_before_merge, ...details } = rest
      const { subject: target, level } = context.loaded
      const { fields, ...own } = sorted(details)
      const issuable = await createRequest(context, {
        source,
        target,
        level,
        source_branch,
        target_branch,
        fields: { description: '', ...fields, title },
        approvals_before_merge,
        ...own,
      })
      const found = await findIssuable(context.db, context.actor, { id: issuable.id })
      return showRequest({ ...context, level }, target, found?.issuable ?? issuable)
    },
  }),

  onRequest({
    route: 'GET /projects/:id/merge_requests/:merge_request_iid',
    summary: 'Get a merge request',
    allow: readIssuable,
    input: Type.Object({
      render_html: optionalBoolean,
      include_diverged_commits_count: optionalBoolean,
      include_rebase_in_progress: optionalBoolean,
      with_abilities: optionalBoolean,
    }),
    answer: RequestJson,
    async run(context) {
      const { subject, input } = context
      const shown = await showRequest(context, subject, subject.issuable, {
        isRendered: input.render_html,
        withDivergence: input.include_diverged_commits_count,
        withRebase: input.include_rebase_in_progress,
        isRead: true,
      })
      if (!input.with_abilities) return shown
      const abilities = {
        ...presentAbilities(context),
        resolve_threads: mayResolveThreads(context),
      }
      return { ...shown, abilities }
    },
  }),

  onRequest({
    route: 'PUT /projects/:id/merge_requests/:merge_request_iid',
    summary: 'Change, close or reopen a merge request',
    allow: updateIssuable,
    transaction: 'none',
    body_bytes_max: limits.issuable_body_bytes,
    input: Type.Object({
      ...detailsInput,
      ...changedLabelsInput,
      target_branch: Type.Optional(nullableText),
      title: Type.Optional(nullableText),
      state_event: Type.Optional(oneOf(['close', 'reopen'])),
      discussion_locked: Type.Optional(nullable(Type.Boolean())),
    }),
    rules: [somethingToChange, notBlank('title'), notNull('title'), notNull('target_branch')],
    answer: RequestJson,
    async run(context) {
      const { subject, level, input } = context
      const { target_branch, title, state_event, ...rest } = input
      const { discussion_locked, ...details } = rest
      const { fields, ...own } = sorted(details)
      const all = {
        ...fields,
        title: title ?? undefined,
        state_event,
        ...(discussion_locked !== undefined && { discussion_locked }),
      }
      const asked = { fields: all, target_branch: target_branch || undefined, ...own }
      await changeRequest(context, { subject, level, asked })
      return showChanged(context)
    },
  }),

  onRequest({
    route: 'DELETE /projects/:id/merge_requests/:merge_request_iid',
    summary: 'Delete a merge request',
    allow: removeIssuable,
    status: 204,
    async run({ db, clock, subject, request }) {
      checkUnmodified(request, subject.issuable.updated_at)
      await enqueueRefRemoval(db, clock, subject.issuable)
      await removeIssuableRow(db, subject.issuable)
    },
  }),

  ...sharedEndpoints({
    tag,
    kind: 'merge_request',
    on: aMergeRequest,
    base: '/projects/:id/merge_requests/:merge_request_iid',
    record: RequestJson,
    show: showChanged,
  }),
]
