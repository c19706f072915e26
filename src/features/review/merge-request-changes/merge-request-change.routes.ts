import { Type } from 'typebox'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { atLeastOneOf, notBlank, type ParameterRule } from '../../../http/parameters.ts'
import { nullable, nullableText, oneOf, optionalBoolean } from '../../../http/schema.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import {
  findIssuable,
  type IssuableSubject,
  mayRemoveIssuable,
  mayUpdateIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import {
  findVisibleProject,
  mayPushCode,
  type Project,
  projectLoader,
} from '../../../subjects/project.ts'
import { issuableEndpointsOf } from '../../planning/issuables/issuable-endpoints.ts'
import {
  changedLabelsInput,
  type IssuableFields,
  labelsInput,
  parseLabelFields,
} from '../../planning/issuables/issuable-fields.ts'
import { removeIssuableRow } from '../../planning/issuables/remove-issuable.ts'
import { enqueueRefRemoval } from '../merge-request-versions/delete-request-refs.ts'
import { MergeRequestJson, showMergeRequest } from '../merge-requests/show-request.ts'
import { changeMergeRequest } from './change-request.ts'
import { createMergeRequest } from './create-request.ts'
import { mayProposeMergeInto } from './merge-request-change.policy.ts'

const tag = 'Merge requests'

const inProject = endpointFactory({ tag, on: projectLoader })

const onRequest = endpointFactory({ tag, on: mergeRequestLoader })

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

/** Separates the fields that merge requests share with issues from their own. */
function sorted(input: DetailsInput) {
  const { assignee_id, assignee_ids, reviewer_ids, milestone_id, description } = input
  const ids =
    assignee_ids === undefined && assignee_id !== undefined ? [assignee_id ?? 0] : assignee_ids
  const fields: IssuableFields = {
    ...(description !== undefined && { description }),
    ...(ids !== undefined && { assignee_ids: ids ?? [] }),
    ...parseLabelFields(input),
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

/** Returns the target project and the caller's level on it. Throws 404 if the project does not exist. */
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

/** Reloads a merge request after a change and returns its record. */
async function showChanged(context: Context<IssuableSubject, unknown>) {
  const { db, actor, subject } = context
  const found = await findIssuable(db, actor, { id: subject.issuable.id })
  return showMergeRequest(context, subject, found?.issuable ?? subject.issuable)
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

/**
 * Returns a rule that refuses null with `X is empty`, since null must not be treated like a missing
 * parameter.
 */
const notNull =
  (name: string): ParameterRule =>
  (values) =>
    ownValue(values, name) === null ? `${name} is empty` : undefined

export const mergeRequestChangeEndpoints = [
  inProject({
    route: 'POST /projects/:id/merge_requests',
    summary: 'Create a merge request from a branch of the project',
    allow: mayPushCode,
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
    answer: MergeRequestJson,
    load: (context) => getTarget(context, context.input.target_project_id),
    authorize: ({ actor, loaded: target }) => mayProposeMergeInto({ ...target, actor }),
    async run(context) {
      const { subject: source, input } = context
      const { title, source_branch, target_branch, target_project_id: _, ...rest } = input
      const { approvals_before_merge, ...details } = rest
      const { subject: target, level } = context.loaded
      const { fields, ...own } = sorted(details)
      const issuable = await createMergeRequest(context, {
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
      return showMergeRequest({ ...context, level }, target, found?.issuable ?? issuable)
    },
  }),

  onRequest({
    route: 'PUT /projects/:id/merge_requests/:merge_request_iid',
    summary: 'Change, close or reopen a merge request',
    allow: mayUpdateIssuable,
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
    answer: MergeRequestJson,
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
      await changeMergeRequest(context, { subject, level, asked })
      return showChanged(context)
    },
  }),

  onRequest({
    route: 'DELETE /projects/:id/merge_requests/:merge_request_iid',
    summary: 'Delete a merge request',
    allow: mayRemoveIssuable,
    status: 204,
    async run({ db, clock, subject, request }) {
      checkIfUnmodifiedSince(request, subject.issuable.updated_at)
      await enqueueRefRemoval(db, clock, subject.issuable)
      await removeIssuableRow(db, subject.issuable)
    },
  }),

  ...issuableEndpointsOf({
    tag,
    kind: 'merge_request',
    on: mergeRequestLoader,
    base: '/projects/:id/merge_requests/:merge_request_iid',
    record: MergeRequestJson,
    show: showChanged,
  }),
]
