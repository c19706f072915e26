// The text of a diff as rows, with the words that changed within paired lines.

/**
 * `old` and `new` are numbers of lines, from 1; `mark` is the part of the text that changed, `html` the text in colours. The
 * row of a hunk has the numbers of the first line left out before it, and `skipped` says how many there are.
 */
export type DiffRow = {
  kind: 'hunk' | 'same' | 'removed' | 'added'
  old?: number
  new?: number
  text: string
  mark?: readonly [from: number, to: number]
  html?: string
  skipped?: number
}

const line_max = 2_000

/** Reads what the API answers: hunks from their first `@@` on. Linear. */
export function parseDiffRows(diff: string): DiffRow[] {
  const rows: DiffRow[] = []
  let [old, now] = [1, 1]
  for (const line of withoutEnd(diff).split('\n')) {
    const hunk = /^@@+ -(\d+)(?:,\d+)? \+(\d+)/.exec(line)
    if (hunk) {
      const skipped = Number(hunk[2]) - now
      rows.push({ kind: 'hunk', old, new: now, skipped, text: line })
      old = Number(hunk[1])
      now = Number(hunk[2])
      continue
    }
    const text = line.slice(1).replace(/\r$/, '')
    if (line.startsWith('+')) rows.push({ kind: 'added', new: now++, text })
    else if (line.startsWith('-')) rows.push({ kind: 'removed', old: old++, text })
    else if (line.startsWith('\\')) rows.push({ kind: 'hunk', text: line })
    else rows.push({ kind: 'same', old: old++, new: now++, text })
  }
  markWords(rows)
  return rows
}

const withoutEnd = (text: string) => (text.endsWith('\n') ? text.slice(0, -1) : text)

/** Pairs each run of removed lines with the added ones after it, line by line. */
function markWords(rows: DiffRow[]): void {
  for (const { removed, added } of changeRunsOfDiffRows(rows)) {
    for (let at = 0; at < Math.min(removed.length, added.length); at += 1) {
      const [one, other] = [removed[at], added[at]]
      if (one && other) markPair(one, other)
    }
  }
}

/** Removed lines with the added ones that follow them at once. */
export function* changeRunsOfDiffRows(
  rows: readonly DiffRow[],
): Generator<{ removed: DiffRow[]; added: DiffRow[] }> {
  let at = 0
  while (at < rows.length) {
    const removed = take(rows, at, 'removed')
    const added = take(rows, at + removed.length, 'added')
    if (removed.length > 0 && added.length > 0) yield { removed, added }
    at += Math.max(1, removed.length + added.length)
  }
}

function take(rows: readonly DiffRow[], from: number, kind: DiffRow['kind']): DiffRow[] {
  let to = from
  while (rows[to]?.kind === kind) to += 1
  return rows.slice(from, to)
}

/** Marks what lies between the words that both begin and end with; nothing where they have little in common. */
function markPair(one: DiffRow, other: DiffRow): void {
  const [a, b] = [one.text, other.text]
  const shorter = Math.min(a.length, b.length)
  if (a.length > line_max || b.length > line_max) return
  let begin = 0
  while (begin < shorter && a[begin] === b[begin]) begin += 1
  let end = 0
  while (end < shorter - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  // Whole words, so that the eye reads them.
  while (begin > 0 && isWord(a[begin - 1])) begin -= 1
  while (end > 0 && isWord(a[a.length - end])) end -= 1
  const common = a.slice(0, begin).trim().length + a.slice(a.length - end).trim().length
  if (common * 3 < Math.max(a.trim().length, b.trim().length)) return
  one.mark = [begin, a.length - end]
  other.mark = [begin, b.length - end]
}

const isWord = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter)
