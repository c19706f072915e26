// Counts added and deleted lines of a small change without starting a program.
import type { DiffStat } from './diff-stat.ts'

/** git looks so far for a NUL, which makes a file binary (`buffer_is_binary` in xdiff-interface.c). */
const binary_bytes = 8000

/**
 * Counts the lines that differ between two contents, as `git diff --numstat` does. Returns undefined if the changed part of
 * both contains the same line, since the count then depends on git's algorithm. A binary file has no lines.
 */
export function countChangedLines(before: Buffer, after: Buffer): DiffStat | undefined {
  if (isBinary(before) || isBinary(after)) return { additions: 0, deletions: 0, total: 0 }
  const [old, young] = [linesOf(before), linesOf(after)]
  const shorter = Math.min(old.length, young.length)
  let head = 0
  while (head < shorter && old[head] === young[head]) head++
  let tail = 0
  while (tail < shorter - head && old.at(-1 - tail) === young.at(-1 - tail)) tail++
  const deleted = old.slice(head, old.length - tail)
  const added = young.slice(head, young.length - tail)
  const known = new Set(deleted)
  if (added.some((line) => known.has(line))) return undefined
  return {
    additions: added.length,
    deletions: deleted.length,
    total: added.length + deleted.length,
  }
}

function isBinary(content: Buffer): boolean {
  return content.subarray(0, binary_bytes).includes(0)
}

/** Splits content into lines, each with its line feed, which the last line may lack. */
function linesOf(content: Buffer): string[] {
  return content.toString('latin1').match(/[^\n]*\n|[^\n]+/g) ?? []
}
