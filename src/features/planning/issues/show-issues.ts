// Public functions of issues: loads their records for all lists.
import { type Static, Type } from 'typebox'
import type { Tier } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import {
  IssuableReferencesJson,
  nullableWeight,
  type SharedIssuableFields,
  SharedIssuableJson,
  type ShowSharedFieldsOptions,
  showSharedFields,
} from '../issuables/show-issuables.ts'

/** An issue as part of other records. */
export const BasicIssueJson = namedObject('BasicIssue', {
  ...SharedIssuableJson,
  type: Type.String(),
  merge_requests_count: Type.Integer(),
  due_date: nullableText,
  confidential: Type.Boolean(),
  issue_type: Type.String(),
  weight: nullableWeight,
})

export const IssueJson = namedObject('Issue', {
  ...BasicIssueJson.properties,
  has_tasks: Type.Boolean(),
  task_status: Type.Optional(Type.String()),
  _links: namedObject('IssueLinks', {
    self: Type.String(),
    notes: Type.String(),
    award_emoji: Type.String(),
    project: Type.String(),
    closed_as_duplicate_of: nullableText,
  }),
  references: IssuableReferencesJson,
  severity: Type.String(),
  subscribed: Type.Optional(Type.Boolean()),
  moved_to_id: nullable(Type.Integer()),
  service_desk_reply_to: Type.Null(),
})

type Uses = { db: Db; baseUrl: string; clock: Clock; config: { tier: Tier } }

function presentBasic(
  issue: Issuable,
  { common }: SharedIssuableFields,
  { tier }: { tier: Tier },
): Static<typeof BasicIssueJson> {
  return {
    ...common,
    type: issue.issue_type.toUpperCase(),
    merge_requests_count: issue.merge_requests_count,
    due_date: issue.due_date,
    confidential: issue.confidential,
    issue_type: issue.issue_type,
    ...(tier !== 'free' && { weight: issue.weight }),
  }
}

/** Returns the basic records in the order of the rows. */
export async function showBasicIssues(
  uses: Uses,
  rows: readonly Issuable[],
  options: ShowSharedFieldsOptions = {},
): Promise<Static<typeof BasicIssueJson>[]> {
  const shared = await showSharedFields(uses, rows, options)
  return rows.flatMap((row, at) => {
    const part = shared[at]
    return part ? [presentBasic(row, part, uses.config)] : []
  })
}

/** Returns the whole records in the order of the rows, without `subscribed`. */
export async function showIssues(
  uses: Uses,
  rows: readonly Issuable[],
  options: ShowSharedFieldsOptions = {},
): Promise<Static<typeof IssueJson>[]> {
  const shared = await showSharedFields(uses, rows, options)
  return rows.flatMap((row, at) => {
    const part = shared[at]
    return part ? [presentIssue(row, part, uses)] : []
  })
}

function presentIssue(
  issue: Issuable,
  shared: SharedIssuableFields,
  uses: Uses,
): Static<typeof IssueJson> {
  const project = `${uses.baseUrl}/api/v4/projects/${issue.project_id}`
  const self = `${project}/issues/${issue.iid}`
  const { task_count, completed_task_count } = issue
  return {
    ...presentBasic(issue, shared, uses.config),
    has_tasks: task_count > 0,
    ...(task_count > 0 && {
      task_status: `${completed_task_count} of ${task_count} ${task_count === 1 ? 'task' : 'tasks'} completed`,
    }),
    _links: {
      self,
      notes: `${self}/notes`,
      award_emoji: `${self}/award_emoji`,
      project,
      closed_as_duplicate_of: null,
    },
    references: shared.references,
    severity: 'UNKNOWN',
    moved_to_id: issue.moved_to_id,
    service_desk_reply_to: null,
  }
}
