import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { IssuableKind } from '../../../subjects/issuable.ts'

/** Somebody has written a note; told in the transaction that keeps it. Notes of the server are not told of. */
export const noteCreatedEffect = declareEffect<{
  tx: Db
  clock: Clock
  project_id: number
  issuable_id: number
  kind: IssuableKind
  note_id: number
  user_id: number
}>('a note is written')
