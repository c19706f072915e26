// A unified diff, taken apart line by line; and what of a changed line is another word.

export type DiffLine = {
  kind: 'same' | 'added' | 'removed' | 'hunk' | 'note'
  old: number | null
  now: number | null
  text: string
  /** The part that differs from the line it stands for; absent for whole lines. */
  changed?: { from: number; to: number }
}

/** Reads the hunks of one file as the API tells them. Linear in its text. */
export function readPatch(patch: string): DiffLine[] {
  const lines: DiffLine[] = []
  let [old, now] = [0, 0]
  for (const line of patch.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (hunk) {
      old = Number(hunk[1])
      now = Number(hunk[2])
      lines.push({ kind: 'hunk', old: null, now: null, text: line })
      continue
    }
    const text = line.slice(1)
    switch (line[0]) {
      case '+':
        lines.push({ kind: 'added', old: null, now: now++, text })
        break
      case '-':
        lines.push({ kind: 'removed', old: old++, now: null, text })
        break
      case ' ':
        lines.push({ kind: 'same', old: old++, now: now++, text })
        break
      case '\\':
        lines.push({ kind: 'note', old: null, now: null, text: line })
    }
  }
  return markChanges(lines)
}

const compared_characters_max = 2_000

/** Removed lines that as many added ones follow are taken for their pairs. */
function markChanges(lines: DiffLine[]): DiffLine[] {
  let at = 0
  while (at < lines.length) {
    const removed = runOf(lines, at, 'removed')
    const added = runOf(lines, at + removed, 'added')
    if (removed > 0 && removed === added) {
      for (let pair = 0; pair < removed; pair += 1) {
        markPair(lines[at + pair], lines[at + removed + pair])
      }
    }
    at += Math.max(1, removed + added)
  }
  return lines
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let length = 0
  while (lines[from + length]?.kind === kind) length += 1
  return length
}

/** What both have at their beginning and at their end is the same; what is between differs. */
function markPair(removed: DiffLine | undefined, added: DiffLine | undefined): void {
  if (!removed || !added) return
  const [a, b] = [removed.text, added.text]
  const shorter = Math.min(a.length, b.length)
  if (Math.max(a.length, b.length) > compared_characters_max) return
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  // Of lines that have little in common no part stands out.
  if (start + end < shorter / 3) return
  removed.changed = { from: start, to: a.length - end }
  added.changed = { from: start, to: b.length - end }
}
