// Moves issues: to another project, or to another position by hand.
import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { optionalInteger } from '../../../http/schema.ts'
import { ApiError } from '../../../kernel/errors.ts'
import {
  findIssuable,
  type Issuable,
  type IssuableSubject,
  issueWithNamedNotFoundLoader,
  mayReadIssuable,
  mayUpdateIssuable,
} from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { isSubscribedToIssuable } from '../issuables/issuable-endpoints.ts'
import { relative_position_step } from '../issuables/list-issuables.ts'
import { findIssuesOfProject, setRelativePosition } from './issue.store.ts'
import { checkAndCopyIssue, checkAndMoveIssue, getTargetProject } from './move-issue.ts'
import { IssueJson, showIssues } from './show-issues.ts'

const endpoint = endpointFactory({
  tag: 'Issues',
  on: issueWithNamedNotFoundLoader,
  signIn: 'always',
})
const url = '/projects/:id/issues/:issue_iid' as const

type PlaceContext<Input> = Context<IssuableSubject, Input>

async function show(context: PlaceContext<unknown>, project: Project, issue: Issuable) {
  const { db, actor } = context
  const found = await findIssuable(db, actor, { id: issue.id })
  const row = found?.issuable ?? issue
  const [shown] = await showIssues(context, [row], { within: project.full_path })
  return { ...shown, subscribed: await isSubscribedToIssuable(context, row) }
}

export const issuePlaceEndpoints = [
  endpoint({
    route: `POST ${url}/move`,
    summary: 'Move an issue to another project',
    allow: mayReadIssuable,
    input: Type.Object({ to_project_id: Type.Integer() }),
    status: 201,
    answer: IssueJson,
    async run(context) {
      const target = await getTargetProject(context, { id: context.input.to_project_id })
      return show(context, target.project, await checkAndMoveIssue(context, target))
    },
  }),

  endpoint({
    route: `POST ${url}/clone`,
    summary: 'Copy an issue, also to another project',
    allow: mayReadIssuable,
    input: Type.Object({
      to_project_id: Type.Integer(),
      with_notes: Type.Optional(Type.Boolean({ default: false })),
    }),
    status: 201,
    answer: IssueJson,
    async run(context) {
      const { to_project_id, with_notes = false } = context.input
      const target = await getTargetProject(context, { id: to_project_id })
      const copy = await checkAndCopyIssue(context, { ...target, withNotes: with_notes })
      return show(context, target.project, copy)
    },
  }),

  endpoint({
    route: `PUT ${url}/reorder`,
    summary: 'Reorder an issue',
    allow: mayUpdateIssuable,
    input: Type.Object({ move_after_id: optionalInteger, move_before_id: optionalInteger }),
    rules: [atLeastOneOf('move_after_id', 'move_before_id')],
    answer: IssueJson,
    async run(context) {
      const { db, subject, input } = context
      const { move_after_id = 0, move_before_id = 0 } = input
      const others = await findIssuesOfProject(db, {
        project_id: subject.id,
        ids: [move_after_id, move_before_id],
      })
      const after = others.find(({ id }) => id === move_after_id)
      const before = others.find(({ id }) => id === move_before_id)
      const isMissing = (id: number, found: Issuable | undefined) => id !== 0 && !found
      if (isMissing(move_after_id, after) || isMissing(move_before_id, before)) {
        throw new ApiError('unprocessable', 'Unprocessable Entity', {
          extra: { message: { error: 'Unprocessable Entity' } },
        })
      }
      const low = after ? await placed(db, after) : undefined
      const high = before ? await placed(db, before) : undefined
      const position = between(low, high)
      await setRelativePosition(db, subject.issuable.id, position)
      await publishChange(db, `issue:${subject.issuable.id}`)
      return show(context, subject, { ...subject.issuable, position })
    },
  }),
]

/** Returns the position of an issue. One without a position gets one by its number. */
async function placed(db: PlaceContext<unknown>['db'], issue: Issuable): Promise<number> {
  if (issue.position !== null) return issue.position
  await setRelativePosition(db, issue.id, issue.iid * relative_position_step)
  return issue.iid * relative_position_step
}

function between(low: number | undefined, high: number | undefined): number {
  if (low !== undefined && high !== undefined) return (low + high) / 2
  return low === undefined ? (high ?? 0) - relative_position_step : low + relative_position_step
}
