// Colours of a change: each hunk is read as two texts, the old and the new one, since neither is whole.
import { highlightToHtmlLines } from '../code/highlight.ts'
import { setHtml } from '../html.ts'
import { type DiffTableLine, rowCellHtml } from './diff-html.ts'
import type { DiffRow } from './diff-rows.ts'

/** Gives the rows their HTML in colours; answers whether there are any. */
export async function highlightRows(rows: readonly DiffRow[], language: string): Promise<boolean> {
  const found = await Promise.all([...hunksOf(rows)].map((hunk) => colourHunk(hunk, language)))
  return found.includes(true)
}

function* hunksOf(rows: readonly DiffRow[]): Generator<DiffRow[]> {
  let hunk: DiffRow[] = []
  for (const row of rows) {
    if (row.kind !== 'hunk') hunk.push(row)
    else if (hunk.length > 0) {
      yield hunk
      hunk = []
    }
  }
  if (hunk.length > 0) yield hunk
}

async function colourHunk(hunk: readonly DiffRow[], language: string): Promise<boolean> {
  const sides = (['removed', 'added'] as const).map((kind) =>
    hunk.filter((row) => row.kind === kind || row.kind === 'same'),
  )
  const found = await Promise.all(
    sides.map((side) => highlightToHtmlLines(side.map(({ text }) => text).join('\n'), language)),
  )
  for (const [at, side] of sides.entries()) {
    for (const [place, row] of side.entries()) {
      const html = found[at]?.[place]
      if (html !== undefined) row.html = html
    }
  }
  return found.some((lines) => lines !== undefined)
}

/** Shows the colours of the rows of a chunk that is in the page: its lines stay, their texts change. */
export function paintChunkHighlights(element: Element, lines: readonly DiffTableLine[]): void {
  for (const [at, tableRow] of [
    ...element.querySelectorAll(':scope > table > tbody > tr:not(.diff-notes, .diff-context)'),
  ].entries()) {
    const texts = [...tableRow.querySelectorAll(':scope > td:not(.diff-none)')]
    const rows = lines[at]?.cells.filter((row) => row !== undefined) ?? []
    for (const [place, row] of rows.entries()) {
      const text = texts[place]
      if (text && row.html !== undefined) setHtml(text, rowCellHtml(row))
    }
  }
}
