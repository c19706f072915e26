/** The header of a hunk: its first line and number of lines on both sides. */
const hunkPattern = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/**
 * Returns the line of the new side that corresponds to line `line` of the old side; undefined for a removed line. Lines
 * outside of hunks shift by the lines that earlier hunks add and remove.
 */
export function mapOldLineToNew(patch: string, line: number): number | undefined {
  let shift = 0
  let oldLine = 0
  let newLine = 0
  let isInHunk = false
  for (const text of patch.split('\n')) {
    const [, oldStart, oldCount = '1', newStart] = hunkPattern.exec(text) ?? []
    if (oldStart !== undefined && newStart !== undefined) {
      // A hunk without old lines is located after the line in its header.
      const begin = Number(oldStart) + (oldCount === '0' ? 1 : 0)
      if (line < begin) return line + shift
      oldLine = begin
      newLine = Number(newStart)
      isInHunk = true
      continue
    }
    if (!isInHunk) continue
    if (text.startsWith('+')) {
      newLine++
      shift++
    } else if (text.startsWith('-')) {
      if (oldLine === line) return undefined
      oldLine++
      shift--
    } else if (text.startsWith(' ')) {
      if (oldLine === line) return newLine
      oldLine++
      newLine++
    }
  }
  return line + shift
}
