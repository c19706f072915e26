// The JSON of a changed file, for commits and comparisons.

import { type Static, Type } from 'typebox'
import type { FileDiff } from '../../../git/diff.ts'
import { namedObject } from '../../../http/schema.ts'

export const DiffJson = namedObject('FileDiff', {
  old_path: Type.String(),
  new_path: Type.String(),
  a_mode: Type.String(),
  b_mode: Type.String(),
  new_file: Type.Boolean(),
  renamed_file: Type.Boolean(),
  deleted_file: Type.Boolean(),
  diff: Type.String(),
})

export function presentDiff(file: FileDiff): Static<typeof DiffJson> {
  return {
    old_path: file.oldPath,
    new_path: file.newPath,
    a_mode: file.oldMode,
    b_mode: file.newMode,
    new_file: file.oldMode === '0',
    renamed_file: file.isRenamed,
    deleted_file: file.newMode === '0',
    diff: file.patch,
  }
}
