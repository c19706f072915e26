import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { IssuableKind } from '../../../subjects/issuable.ts'

/** What else happens when somebody writes a note, in the transaction that inserts it; not for notes of the server. */
export const noteCreatedEffect = declareEffect<{
  tx: Db
  clock: Clock
  project_id: number
  issuable_id: number
  kind: IssuableKind
  note_id: number
  user_id: number
}>('a note is written')
