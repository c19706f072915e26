// Positions of notes on diffs as clients send them (docs/api/notes.md, "Positions").
import { type Static, Type } from 'typebox'
import type { Context } from '../../../http/endpoint.ts'
import { namedObject, optionalInteger, optionalText } from '../../../http/schema.ts'
import type { Project } from '../../../subjects/project.ts'
import type { NoteRequest } from './write-note.ts'

const lineEnd = Type.Optional(
  namedObject('LineEndInput', {
    line_code: optionalText,
    type: optionalText,
    old_line: optionalInteger,
    new_line: optionalInteger,
  }),
)
export const diffPositionInput = Type.Optional(
  namedObject('PositionInput', {
    base_sha: Type.String(),
    start_sha: Type.String(),
    head_sha: Type.String(),
    position_type: Type.String(),
    new_path: optionalText,
    new_line: optionalInteger,
    old_path: optionalText,
    old_line: optionalInteger,
    width: optionalInteger,
    height: optionalInteger,
    x: Type.Optional(Type.Number()),
    y: Type.Optional(Type.Number()),
    line_range: Type.Optional(namedObject('LineRangeInput', { start: lineEnd, end: lineEnd })),
  }),
)
const PositionObject = Type.Object({ position: diffPositionInput })
export type DiffPositionInput = NonNullable<Static<typeof PositionObject>['position']>

/** Returns the position of a note on the diff of a merge request. Throws 400 for a line that is not in the diff. */
export type ResolveDiffPosition = (
  context: Pick<Context<Project, unknown>, 'git' | 'config' | 'subject'>,
  position: DiffPositionInput,
) => Promise<Pick<NoteRequest, 'position' | 'commit_id'> & { line_code: string | null }>
