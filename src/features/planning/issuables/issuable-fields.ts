import type { Issuable } from '../../../subjects/issuable.ts'

/** What may be changed of either kind; what is undefined stays as it is. */
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
  /** In seconds. */
  time_estimate_s?: number
  /** By Owners and administrators alone. */
  created_at?: string
  updated_at?: string
  iid?: number
}
