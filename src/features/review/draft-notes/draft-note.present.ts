import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import type { DraftNote } from './draft-note.store.ts'

export const DraftNoteJson = namedObject('DraftNote', {
  id: Type.Integer(),
  author_id: Type.Integer(),
  merge_request_id: Type.Integer(),
  resolve_discussion: Type.Boolean(),
  discussion_id: nullableText,
  note: Type.String(),
  commit_id: nullableText,
  line_code: nullableText,
  position: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
})

/** The position of a draft that is not on a diff. */
const nowhere = {
  base_sha: null,
  start_sha: null,
  head_sha: null,
  old_path: null,
  new_path: null,
  position_type: 'text',
  old_line: null,
  new_line: null,
  line_range: null,
}

export function presentDraftNote(draft: DraftNote): Static<typeof DraftNoteJson> {
  const { id, author_id, resolve_discussion, discussion_id, note, commit_id, line_code } = draft
  return {
    id,
    author_id,
    merge_request_id: draft.issuable_id,
    resolve_discussion,
    discussion_id,
    note,
    commit_id,
    line_code,
    position: draft.position ?? nowhere,
  }
}
