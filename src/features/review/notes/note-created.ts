import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { IssuableKind } from '../../../subjects/issuable.ts'

/** Runs in the transaction that inserts a note; not for system notes. */
export const noteCreatedEffect = declareEffect<{
  tx: Db
  clock: Clock
  project_id: number
  issuable_id: number
  kind: IssuableKind
  note_id: number
  user_id: number
  /** Whether the note is published with others of a review, for which there is a single notification. */
  isOfReview: boolean
}>('a note is written')

/** Runs in the transaction that writes the notes of a published review. */
export const reviewPublishedEffect = declareEffect<{
  tx: Db
  clock: Clock
  project_id: number
  issuable_id: number
  user_id: number
  /** The notes in the order of the drafts, including internal ones. */
  notes: readonly { id: number; confidential: boolean }[]
}>('a review is published')
