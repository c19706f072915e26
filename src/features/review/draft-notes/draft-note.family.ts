import type { Family } from '../../family.ts'
import { draftNoteEndpoints } from './draft-note.routes.ts'

export const draftNoteFamily: Family = { endpoints: draftNoteEndpoints }
