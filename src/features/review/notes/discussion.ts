import { type Static, Type } from 'typebox'
import { namedObject } from '../../../http/schema.ts'
import { NoteJson } from './note.ts'

export const DiscussionJson = namedObject('Discussion', {
  id: Type.String(),
  individual_note: Type.Boolean(),
  notes: Type.Array(NoteJson),
})

export function presentDiscussion(
  id: string,
  notes: Static<typeof NoteJson>[],
): Static<typeof DiscussionJson> {
  return { id, individual_note: notes.every(({ type }) => type === null), notes }
}
