import { type Static, Type } from 'typebox'
import { nullable } from '../../../http/schema.ts'
import { badParameters } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Issuable } from '../../../subjects/issuable.ts'

/** The fields of both kinds that can be changed; undefined ones stay. */
export type IssuableFields = {
  title?: string
  description?: string | null
  confidential?: boolean
  discussion_locked?: boolean | null
  milestone_id?: number | null
  due_date?: string | null
  weight?: number | null
  issue_type?: Issuable['issue_type']
  labels?: readonly string[]
  add_labels?: readonly string[]
  remove_labels?: readonly string[]
  assignee_ids?: readonly number[]
  state_event?: 'close' | 'reopen'
  /** In seconds; 0 removes the estimate. */
  time_estimate_s?: number
  /** Only Owners and administrators may set these fields. */
  created_at?: string
  updated_at?: string
  iid?: number
}

const titlesInput = Type.Optional(
  nullable(Type.Array(Type.String(), { maxItems: limits.named_labels_max })),
)

/** The labels of an issue or merge request, as a request replaces or changes them. */
export const labelsInput = { labels: titlesInput }
export const changedLabelsInput = { add_labels: titlesInput, remove_labels: titlesInput }
const LabelsInput = Type.Object({ ...labelsInput, ...changedLabelsInput })

/** The fields that `labels`, `add_labels` and `remove_labels` set; null for `labels` removes all. */
export function parseLabelFields({
  labels,
  add_labels,
  remove_labels,
}: Static<typeof LabelsInput>): Pick<IssuableFields, 'labels' | 'add_labels' | 'remove_labels'> {
  return {
    ...(labels !== undefined && { labels: splitTitlesAtCommas('labels', labels ?? []) }),
    ...(add_labels && { add_labels: splitTitlesAtCommas('add_labels', add_labels) }),
    ...(remove_labels && { remove_labels: splitTitlesAtCommas('remove_labels', remove_labels) }),
  }
}

/**
 * Splits each text at commas: `["a", "b, c"]` names three labels. Throws 400 for more than `titles_max`.
 */
export function splitTitlesAtCommas(
  parameter: string,
  texts: readonly string[],
  titles_max: number = limits.named_labels_max,
): string[] {
  const titles = texts.flatMap((text) => text.split(',')).map((title) => title.trim())
  if (titles.length > titles_max) throw badParameters([`${parameter} is invalid`])
  return titles.filter((title) => title !== '')
}
