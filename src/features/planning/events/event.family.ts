import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { issuableChanged } from '../issuables/issuable-changed.ts'
import { noteMade } from '../notes/note-made.ts'
import { recordIssuableEvent, recordNoteEvent } from './record-events.ts'

export const eventFamily: Family = {
  effects: [whenever(issuableChanged, recordIssuableEvent), whenever(noteMade, recordNoteEvent)],
}
