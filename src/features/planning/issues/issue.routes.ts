import { Type } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import { anyone } from '../../../access/rule.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpoint, endpointFactory, type Permission } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf, type ParameterRule } from '../../../http/parameters.ts'
import {
  dateTime,
  namedObject,
  nullable,
  nullableText,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { parseDay, today } from '../../../kernel/clock.ts'
import { notFound, recordNotFound, unauthorized } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { groupLoader } from '../../../subjects/group.ts'
import {
  findIssuable,
  type Issuable,
  type IssuableSubject,
  issueLoader,
  issueWithNamedNotFoundLoader,
  mayReadIssuable,
  mayRemoveIssuable,
  mayUpdateIssuable,
} from '../../../subjects/issuable.ts'
import { findVisibleProject, type Project, projectLoader } from '../../../subjects/project.ts'
import { changeIssuable, createIssuable } from '../issuables/change-issuable.ts'
import {
  IssuableAbilitiesJson,
  isSubscribedToIssuable,
  issuableEndpointsOf,
  presentAbilitiesAndVersion,
  presentIssuableAbilities,
} from '../issuables/issuable-endpoints.ts'
import {
  changedLabelsInput,
  type IssuableFields,
  labelsInput,
  parseLabelFields,
} from '../issuables/issuable-fields.ts'
import {
  issuableFilterInput,
  issuableFilterParameterRules,
  sortDirectionInput,
} from '../issuables/list-filter.ts'
import {
  countIssuablesByState,
  type IssuableListFilter,
  type IssuableListPlace,
  issuableOrders,
  listIssuables,
} from '../issuables/list-issuables.ts'
import { removeIssuableRow } from '../issuables/remove-issuable.ts'
import { renderIssuableHtml } from '../markdown/render-html.ts'
import { mayCreateIssues } from './issue.ts'
import { IssueJson, showIssues } from './show-issues.ts'

const tag = 'Issues'
const inProject = endpointFactory({ tag, on: projectLoader })
const inGroup = endpointFactory({ tag, on: groupLoader })
const onIssue = endpointFactory({ tag, on: issueLoader })

const IssueWithHtmlJson = Type.Object({
  ...IssueJson.properties,
  title_html: optionalText,
  description_html: optionalText,
  abilities: Type.Optional(IssuableAbilitiesJson),
  change_version: Type.Optional(Type.String()),
})

const states = ['opened', 'closed', 'all'] as const
const types = ['issue', 'incident', 'test_case', 'task'] as const
const issueFilterInput = {
  ...issuableFilterInput,
  confidential: optionalBoolean,
  due_date: optionalText,
  issue_type: Type.Optional(oneOf(types)),
  weight: optionalText,
}
const listInput = {
  state: Type.Optional(oneOf(states, { default: 'all' })),
  ...issueFilterInput,
  order_by: Type.Optional(oneOf(issuableOrders, { default: 'created_at' })),
  ...sortDirectionInput,
}
type ListInput = Omit<IssuableListFilter, 'own'> & {
  order_by?: (typeof issuableOrders)[number]
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
  const { db, actor, range, clock, config } = context
  const filter = config.tier === 'free' ? { ...input, weight: undefined } : input
  const asked = { kind: 'issue' as const, viewer: actor, place, filter, today: today(clock) }
  const { order_by: order, sort } = input
  const { rows, total } = await listIssuables(db, { ...asked, order, sort }, range)
  const withLabelDetails = input.with_labels_details
  return new Page({ items: await showIssues(context, rows, { withLabelDetails, within }), total })
}

async function statistics(
  { db, actor, clock }: Viewing,
  { input, place }: { input: ListInput; place: IssuableListPlace },
) {
  const { state: _, ...filter } = input
  const asked = { kind: 'issue' as const, viewer: actor, place, filter, today: today(clock) }
  return { statistics: { counts: await countIssuablesByState(db, asked) } }
}

const CountsJson = namedObject('IssueStatistics', {
  statistics: Type.Object({
    counts: Type.Object({ all: Type.Integer(), closed: Type.Integer(), opened: Type.Integer() }),
  }),
})

/** The default scope is the caller's own issues. */
const scopeOf = ({ scope = 'created_by_me' }: ListInput) => scope

/** Anonymous callers must request the scope `all`, since they have no issues of their own. */
function mayListEverywhere({ actor, input }: { actor: Actor; input: ListInput }): Permission {
  return actor.user !== undefined || scopeOf(input) === 'all' || unauthorized()
}

function everywhere(input: ListInput): ListInput {
  return { ...input, scope: scopeOf(input) }
}

const peopleInput = {
  assignee_ids: Type.Optional(nullable(Type.Array(Type.Integer()))),
  assignee_id: Type.Optional(nullable(Type.Integer())),
}
const detailsInput = {
  description: Type.Optional(nullableText),
  ...peopleInput,
  milestone_id: Type.Optional(nullable(Type.Integer())),
  ...labelsInput,
  due_date: Type.Optional(nullableText),
  confidential: optionalBoolean,
  discussion_locked: Type.Optional(nullable(Type.Boolean())),
  issue_type: Type.Optional(oneOf(types)),
  weight: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: limits.integer_max }))),
}

type DetailsInput = {
  description?: string | null
  assignee_ids?: number[] | null
  assignee_id?: number | null
  milestone_id?: number | null
  labels?: string[] | null
  add_labels?: string[] | null
  remove_labels?: string[] | null
  due_date?: string | null
  confidential?: boolean
  discussion_locked?: boolean | null
  issue_type?: Issuable['issue_type']
  weight?: number | null
}

function fieldsOf(input: DetailsInput): IssuableFields {
  const { assignee_id, assignee_ids, due_date, milestone_id, ...rest } = input
  const ids =
    assignee_ids === undefined && assignee_id !== undefined ? [assignee_id ?? 0] : assignee_ids
  return {
    ...(rest.description !== undefined && { description: rest.description }),
    ...(rest.confidential !== undefined && { confidential: rest.confidential }),
    ...(rest.discussion_locked !== undefined && { discussion_locked: rest.discussion_locked }),
    ...(rest.issue_type !== undefined && { issue_type: rest.issue_type }),
    ...(rest.weight !== undefined && { weight: rest.weight }),
    ...(ids !== undefined && { assignee_ids: ids ?? [] }),
    ...parseLabelFields(input),
    ...(milestone_id !== undefined && { milestone_id }),
    ...(due_date !== undefined && { due_date: parseDay(due_date ?? '') }),
  }
}

type ShowContext = Context<unknown, unknown>

async function showOne(
  context: ShowContext,
  project: Project,
  issue: Issuable,
  { withLabelDetails = false } = {},
) {
  const options = { withLabelDetails, within: project.full_path }
  const [shown] = await showIssues(context, [issue], options)
  return { ...shown, subscribed: await isSubscribedToIssuable(context, issue) }
}

/** Reloads an issue after a change and returns its record. */
async function showChanged(context: Context<IssuableSubject, unknown>) {
  const { db, actor, subject } = context
  const found = await findIssuable(db, actor, { id: subject.issuable.id })
  return showOne(context, subject, found?.issuable ?? subject.issuable)
}

const somethingToChange = atLeastOneOf(
  'assignee_id',
  'assignee_ids',
  'confidential',
  'created_at',
  'description',
  'discussion_locked',
  'due_date',
  'labels',
  'add_labels',
  'remove_labels',
  'milestone_id',
  'state_event',
  'title',
  'issue_type',
  'weight',
  'updated_at',
)
/** The message lists the parameters of the base tier, as clients know it. */
const atLeastOne: ParameterRule = (values) =>
  somethingToChange(values) === undefined
    ? undefined
    : 'assignee_id, assignee_ids, confidential, created_at, description, discussion_locked, due_date, labels, add_labels, remove_labels, milestone_id, state_event, title are missing, at least one parameter must be provided'

/** The default `true` excludes archived projects of a group. */
const archivedInput = {
  non_archived: Type.Optional(Type.Boolean({ default: true })),
}

export const issueEndpoints = [
  endpoint({
    tag,
    route: 'GET /issues',
    summary: 'List issues of all projects, by default those you created',
    signIn: 'for-writes',
    allow: anyone,
    input: Type.Object({ ...listInput, ...archivedInput, ...pageInput }),
    rules: issuableFilterParameterRules,
    answer: Type.Array(IssueJson),
    authorize: mayListEverywhere,
    run(context) {
      const place = {
        everywhere: true,
        withArchived: context.input.non_archived === false,
      } as const
      return listed(context, { input: everywhere(context.input), place })
    },
  }),

  inGroup({
    route: 'GET /groups/:id/issues',
    summary: 'List the issues of a group and its subgroups',
    allow: anyone,
    input: Type.Object({ ...listInput, ...archivedInput, ...pageInput }),
    rules: issuableFilterParameterRules,
    answer: Type.Array(IssueJson),
    run(context) {
      const { subject: group, input } = context
      const place = { group_id: group.id, withArchived: input.non_archived === false }
      return listed(context, { input, place, within: group.full_path })
    },
  }),

  inProject({
    route: 'GET /projects/:id/issues',
    summary: 'List the issues of a project',
    allow: anyone,
    input: Type.Object({ ...listInput, ...pageInput }),
    rules: issuableFilterParameterRules,
    answer: Type.Array(IssueJson),
    run(context) {
      const { subject: project, input } = context
      return listed(context, { input, place: { inProject: context }, within: project.full_path })
    },
  }),

  endpoint({
    tag,
    route: 'GET /issues_statistics',
    summary: 'Count issues of all projects, by default those you created',
    signIn: 'for-writes',
    allow: anyone,
    input: Type.Object(issueFilterInput),
    rules: issuableFilterParameterRules,
    answer: CountsJson,
    authorize: mayListEverywhere,
    run: (context) =>
      statistics(context, {
        input: everywhere(context.input),
        place: { everywhere: true, withArchived: true },
      }),
  }),

  inGroup({
    route: 'GET /groups/:id/issues_statistics',
    summary: 'Count the issues of a group and its subgroups',
    allow: anyone,
    input: Type.Object(issueFilterInput),
    rules: issuableFilterParameterRules,
    answer: CountsJson,
    run: (context) =>
      statistics(context, {
        input: context.input,
        place: { group_id: context.subject.id, withArchived: true },
      }),
  }),

  inProject({
    route: 'GET /projects/:id/issues_statistics',
    summary: 'Count the issues of a project',
    allow: anyone,
    input: Type.Object(issueFilterInput),
    rules: issuableFilterParameterRules,
    answer: CountsJson,
    run: (context) => statistics(context, { input: context.input, place: { inProject: context } }),
  }),

  endpoint({
    tag,
    route: 'GET /issues/:issue_id',
    summary: 'Get an issue by its id, as an administrator',
    allow: ({ actor }) => actor.user?.is_admin === true,
    input: Type.Object({ issue_id: Type.Integer() }),
    answer: IssueJson,
    async run(context) {
      const { db, actor, input } = context
      const found = await findIssuable(db, actor, { id: input.issue_id })
      if (found?.issuable.kind !== 'issue') throw recordNotFound()
      const project = await findVisibleProject(db, actor, { id: found.issuable.project_id })
      if (!project) throw recordNotFound()
      return showOne(context, project.project, found.issuable)
    },
  }),

  onIssue({
    route: 'GET /projects/:id/issues/:issue_iid',
    summary: 'Get an issue',
    allow: mayReadIssuable,
    input: Type.Object({
      render_html: optionalBoolean,
      with_abilities: optionalBoolean,
      with_labels_details: optionalBoolean,
    }),
    answer: IssueWithHtmlJson,
    async run(context) {
      const { subject, input } = context
      const forPages = input.with_abilities
        ? await presentAbilitiesAndVersion(context, presentIssuableAbilities(context))
        : {}
      return {
        ...(await showOne(context, subject, subject.issuable, {
          withLabelDetails: input.with_labels_details,
        })),
        ...(input.render_html ? await renderIssuableHtml(context, subject.issuable, subject) : {}),
        ...forPages,
      }
    },
  }),

  inProject({
    route: 'POST /projects/:id/issues',
    summary: 'Create an issue',
    signIn: 'always',
    body_bytes_max: limits.issuable_body_bytes,
    allow: mayCreateIssues,
    input: Type.Object({
      title: Type.String(),
      created_at: Type.Optional(dateTime()),
      iid: Type.Optional(Type.Integer({ maximum: limits.given_iid_max })),
      ...detailsInput,
    }),
    status: 201,
    answer: IssueJson,
    async run(context) {
      const { subject: project, level, input, config } = context
      const { title, created_at, iid, ...details } = input
      const fields = { title, created_at, iid, ...fieldsOf(details) }
      if (config.tier === 'free') delete fields.weight
      const issue = await createIssuable(context, { project, kind: 'issue', level, fields })
      return showOne(context, project, await readAnew(context, issue))
    },
  }),

  onIssue({
    route: 'PUT /projects/:id/issues/:issue_iid',
    summary: 'Change, close or reopen an issue',
    signIn: 'always',
    body_bytes_max: limits.issuable_body_bytes,
    allow: mayUpdateIssuable,
    input: Type.Object({
      title: Type.Optional(nullableText),
      ...detailsInput,
      ...changedLabelsInput,
      state_event: Type.Optional(oneOf(['close', 'reopen'])),
      created_at: Type.Optional(dateTime()),
      updated_at: Type.Optional(dateTime()),
    }),
    rules: [atLeastOne],
    answer: IssueJson,
    async run(context) {
      const { subject, level, input } = context
      const { title, state_event, updated_at, ...details } = input
      const fields = {
        ...fieldsOf(details),
        // Null is refused like an empty title.
        title: title === null ? '' : title,
        state_event,
        updated_at,
      }
      await changeIssuable(context, { subject, level, fields })
      return showChanged(context)
    },
  }),

  endpoint({
    tag,
    on: issueWithNamedNotFoundLoader,
    signIn: 'always',
    route: 'DELETE /projects/:id/issues/:issue_iid',
    summary: 'Delete an issue',
    allow: mayRemoveIssuable,
    status: 204,
    async run({ db, subject, request }) {
      checkIfUnmodifiedSince(request, subject.issuable.updated_at)
      await removeIssuableRow(db, subject.issuable)
    },
  }),

  ...issuableEndpointsOf({
    tag,
    kind: 'issue',
    on: issueLoader,
    base: '/projects/:id/issues/:issue_iid',
    record: IssueJson,
    show: showChanged,
  }),
]

/** Reloads the issue, which was just changed. */
async function readAnew({ db, actor }: ShowContext, issue: Issuable): Promise<Issuable> {
  const found = await findIssuable(db, actor, { id: issue.id })
  if (!found) throw notFound('Issue')
  return found.issuable
}
