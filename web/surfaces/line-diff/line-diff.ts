// Lines added and removed between two texts, for what is not committed yet: what is, the server compares.

export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string }

/** Cells of the table; beyond, what differs is removed and added as one. */
const cells_max = 4_000_000

export function diffLines(before: string, after: string): DiffLine[] {
  const old = linesOf(before)
  const now = linesOf(after)
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1
  return [
    ...mark('same', old.slice(0, start)),
    ...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...mark('same', end === 0 ? [] : old.slice(-end)),
  ]
}

function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

const mark = (kind: DiffLine['kind'], lines: readonly string[]) =>
  lines.map((text): DiffLine => ({ kind, text }))

/** By the longest common subsequence. */
function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const width = now.length + 1
  if (old.length * width > cells_max) return [...mark('removed', old), ...mark('added', now)]
  const common = new Uint32Array((old.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < now.length) {
    const [was, is] = [old[row], now[column]]
    if (was !== undefined && was === is) {
      lines.push({ kind: 'same', text: was })
      row += 1
      column += 1
    } else if (
      was !== undefined &&
      (is === undefined || at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push({ kind: 'removed', text: was })
      row += 1
    } else {
      lines.push({ kind: 'added', text: is ?? '' })
      column += 1
    }
  }
  return lines
}
