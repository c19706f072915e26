// Rows between the lines of a diff that hold notes, and the lines that notes are on.
import type { ChangedFile } from './diff.tsx'

/** A line of a changed file: its number before, after, or both where it is unchanged. */
export type DiffPosition = { path: string; oldPath: string; old: number | null; now: number | null }
export type LineRange = { start: DiffPosition; end: DiffPosition }

const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text))

/** The line of a row; `cell` says which side is meant where both are shown. */
export function diffPositionOfRow(
  row: HTMLTableRowElement,
  fileOf: (body: Element) => ChangedFile | undefined,
  cell?: Element,
): DiffPosition | undefined {
  if (row.matches('.diff-hunk')) return undefined
  const body = row.closest('.diff-body')
  const file = body && fileOf(body)
  let old = numberOf(row.dataset.old)
  let now = numberOf(row.dataset.new)
  if (!file || (old === null && now === null)) return undefined
  const isChanged = row.querySelector('.diff-side-added, .diff-side-removed') !== null
  if (isChanged && old !== null && now !== null) {
    // Two changed lines stand beside each other: the one that was pressed, or the new one.
    if (cell && cell === row.cells[0]) now = null
    else old = null
  }
  return { path: file.new_path, oldPath: file.old_path, old, now }
}

export const diffPositionKey = ({ path, old, now }: Omit<DiffPosition, 'oldPath'>) =>
  `${path}\n${old}\n${now}`

/** The row of a line in the body of its file. */
export function findDiffRow(
  body: Element,
  { old, now }: Pick<DiffPosition, 'old' | 'now'>,
): HTMLElement | null {
  if (old !== null && now !== null) {
    return body.querySelector(`tr[data-old="${old}"][data-new="${now}"]:not(.diff-hunk)`)
  }
  const [name, number] = now === null ? ['old', old] : ['new', now]
  const kind = now === null ? 'removed' : 'added'
  return (
    body.querySelector(`tr.diff-${kind}[data-${name}="${number}"]`) ??
    body.querySelector(`.diff-wide tr[data-${name}="${number}"]:not(.diff-hunk)`) ??
    body.querySelector(`tr[data-${name}="${number}"]:not(.diff-hunk)`)
  )
}

/** The cell for what stands below a row, made where there is none. */
export function ensureNoteCell(row: HTMLElement): HTMLElement {
  const next = row.nextElementSibling
  if (next?.classList.contains('diff-notes')) return next.firstElementChild as HTMLElement
  const made = document.createElement('tr')
  made.className = 'diff-notes'
  const cell = document.createElement('td')
  cell.colSpan = row.closest('.diff-wide') ? 4 : 2
  made.append(cell)
  row.after(made)
  return cell
}
