import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { IssuableKind } from '../../../subjects/issuable.ts'

export type IssuableAction =
  | 'open'
  | 'close'
  | 'reopen'
  | 'update'
  | 'approved'
  | 'unapproved'
  | 'merge'

/** The old and new value of each changed field, as in webhooks. */
export type FieldChanges = Record<string, { previous: unknown; current: unknown }>

export type IssuableChange = {
  tx: Db
  clock: Clock
  project_id: number
  issuable_id: number
  kind: IssuableKind
  action: IssuableAction
  user_id: number
  changes: FieldChanges
  /** The former head of a merge request whose source has moved. */
  oldrev?: string
  /** The reviewers of a merge request who were asked to review it again. */
  asked_again_ids?: readonly number[]
}

/** Runs in the transaction that creates or changes an issue or merge request. */
export const issuableChangedEffect = declareEffect<IssuableChange>(
  'an issue or merge request changes',
)
