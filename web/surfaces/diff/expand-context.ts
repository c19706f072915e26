// Shows lines of the file that lie between its changes: the text of the file as it is after the change.
import { splitLines } from '../code/code.tsx'
import { highlightToHtmlLines } from '../code/highlight.ts'
import { languageOf } from '../code/languages.ts'
import { escapeHtml, setHtml } from '../html.ts'
import { contextLineHtml } from './diff-html.ts'

/** Lines that one press shows. */
const step_lines = 20

/** What a row of a hunk leaves out: numbers of its first line, before and after the change, and how many they are. */
type Gap = { old: number; now: number; lines: number }

/** Answers a press on the button in a row of a hunk. */
export async function expandContext(
  button: HTMLElement,
  { path, text, isWide }: { path: string; text: string; isWide: boolean },
): Promise<void> {
  const row = button.closest('tr')
  if (!row) return
  const all = splitLines(text)
  const gap = gapOf(row, all.length)
  const count = Math.min(gap.lines, button.dataset.way === 'all' ? gap.lines : step_lines)
  const isFromEnd = button.dataset.way === 'up'
  const skipped = isFromEnd ? gap.lines - count : 0
  const first = { old: gap.old + skipped, now: gap.now + skipped }
  const language = languageOf(path)
  const coloured = language ? await highlightToHtmlLines(text, language) : undefined
  // Pressed twice meanwhile: the row says something else now.
  if (gapOf(row, all.length).lines !== gap.lines) return
  const html = Array.from({ length: count }, (_, at) => {
    const now = first.now + at
    const line = coloured?.[now - 1] ?? escapeHtml(all[now - 1] ?? '')
    return contextLineHtml({ old: first.old + at, now, html: line }, isWide)
  }).join('')
  const body = document.createElement('tbody')
  setHtml(body, html)
  const rows = [...body.children]
  if (isFromEnd) row.after(...rows)
  else row.before(...rows)
  const left = gap.lines - count
  row.dataset.lines = String(left)
  if (!isFromEnd) {
    row.dataset.old = String(gap.old + count)
    row.dataset.new = String(gap.now + count)
  }
  // The row stays in its table, whose rows are counted when they get their colours.
  if (left === 0) row.hidden = true
  const [shown] = rows
  if (shown instanceof HTMLElement) {
    shown.tabIndex = -1
    shown.focus({ preventScroll: true })
  }
}

/** After the last change, the length of the file says how many there are. */
function gapOf({ dataset }: HTMLElement, lines: number): Gap {
  const now = Number(dataset.new)
  return {
    old: Number(dataset.old),
    now,
    lines: dataset.lines === '' ? Math.max(0, lines - now + 1) : Number(dataset.lines),
  }
}
