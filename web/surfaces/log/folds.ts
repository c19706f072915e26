// Which lines of a log are hidden, for the sections that hold them are folded.

/** A part of a log with a header, `first_line`; `last_line` is null while the part goes on. */
export type LogSection = {
  header: string
  start: string
  end: string | null
  first_line: number
  last_line: number | null
  collapsed: boolean
}

/** Lines from `from` to `to`, both included. */
export type LineSpan = { from: number; to: number }

/** What folded sections hide, sorted and without overlaps; headers of sections stay, unless they are inside another. */
export function hiddenLineRanges(folded: readonly LogSection[], lines: number): LineSpan[] {
  const hidden: LineSpan[] = []
  for (const { first_line, last_line } of folded.toSorted((a, b) => a.first_line - b.first_line)) {
    const [from, to] = [first_line + 1, last_line ?? lines]
    const before = hidden.at(-1)
    if (to < from) continue
    if (before && from <= before.to + 1) before.to = Math.max(before.to, to)
    else hidden.push({ from, to })
  }
  return hidden
}

/** How many of the lines from `from` to `to` are not hidden. */
export function countVisibleLines(hidden: readonly LineSpan[], { from, to }: LineSpan): number {
  let count = Math.max(0, to - from + 1)
  for (const range of hidden) {
    count -= Math.max(0, Math.min(to, range.to) - Math.max(from, range.from) + 1)
  }
  return count
}

/** Whether one may fold it: what has no lines of its own is only a line. */
export function canFoldSection({ first_line, last_line }: LogSection): boolean {
  return last_line === null || last_line > first_line
}
