// Rows of a diff as tables: one a chunk, so that the browser lays out only what is in sight.
import { repository } from '../../text/repository.ts'
import { escapeHtml } from '../html.ts'
import type { DiffRow } from './diff-rows.ts'

const chunk_rows = 100

/** A line of a table: its row, or the old one and the new one side by side. */
export type DiffTableLine = { cells: readonly (DiffRow | undefined)[]; isFirst: boolean }

/** At most 100 lines each, and the table they are; `isWide` puts old and new side by side. */
export function* renderDiffChunks(
  rows: readonly DiffRow[],
  { isWide }: { isWide: boolean },
): Generator<{ lines: readonly DiffTableLine[]; html: string }> {
  let lines: DiffTableLine[] = []
  for (const line of isWide ? sides(rows) : inOne(rows)) {
    lines.push(line)
    if (lines.length < chunk_rows) continue
    yield { lines, html: table(lines, isWide) }
    lines = []
  }
  if (lines.length > 0) yield { lines, html: table(lines, isWide) }
}

/** What a row says, with what changed within it; in colours where it has them. */
export function rowTextHtml({ text, mark, html }: DiffRow): string {
  const isMarked = mark && mark[0] < mark[1]
  if (html !== undefined) return isMarked ? markHtml(html, mark) : html
  if (!isMarked) return escapeHtml(text)
  const [from, to] = mark
  return `${escapeHtml(text.slice(0, from))}<b>${escapeHtml(text.slice(from, to))}</b>${escapeHtml(text.slice(to))}`
}

/** The same in a cell: an empty line is a line when it is copied. */
export const rowCellHtml = (row: DiffRow): string => rowTextHtml(row) || '<br>'

/** Puts a part of a text, counted in its letters, into `b`, whatever elements it goes through. Linear. */
function markHtml(html: string, [from, to]: readonly [number, number]): string {
  let marked = ''
  let at = 0
  for (const [part] of html.matchAll(/<[^>]*>|&[^;]{1,8};|[^<&]+|./g)) {
    if (part.startsWith('<')) {
      marked += part
      continue
    }
    const length = part.startsWith('&') ? 1 : part.length
    const [begin, end] = [Math.max(0, from - at), Math.min(length, to - at)]
    at += length
    if (begin >= end) marked += part
    else if (end - begin === length) marked += `<b>${part}</b>`
    else marked += `${part.slice(0, begin)}<b>${part.slice(begin, end)}</b>${part.slice(end)}`
  }
  return marked
}

/** Two halves of the same width, whatever the first row is. */
const columns =
  '<colgroup><col class="diff-numbers"><col><col class="diff-numbers"><col></colgroup>'

const table = (lines: readonly DiffTableLine[], isWide: boolean) =>
  `<div class="diff-chunk"><table class="diff-table ${isWide ? 'diff-wide' : ''}">${isWide ? columns : ''}<tbody>${lines.map(isWide ? wideHtml : lineHtml).join('')}</tbody></table></div>`

function lineHtml({ cells: [row], isFirst }: DiffTableLine): string {
  if (!row) return ''
  if (row.kind === 'hunk') return hunkHtml(row, 1)
  const numbers = `${pad(row.old)} ${pad(row.new)}`
  return `<tr class="diff-${row.kind}${isFirst ? ' diff-first' : ''}"${numbersOf(row.old, row.new)}><th scope="row">${numbers}</th><td>${rowCellHtml(row)}</td></tr>`
}

function wideHtml({ cells: [old, now], isFirst }: DiffTableLine): string {
  if (old?.kind === 'hunk') return hunkHtml(old, 3)
  return `<tr${isFirst ? ' class="diff-first"' : ''}${numbersOf(old?.old, now?.new)}>${side(old, old?.old)}${side(now, now?.new)}</tr>`
}

/** The numbers of a line before and after, by which notes find it. */
const numbersOf = (old: number | undefined, now: number | undefined) =>
  `${old === undefined ? '' : ` data-old="${old}"`}${now === undefined ? '' : ` data-new="${now}"`}`

/** Lines left out that are few enough to be shown by one press. */
const few_lines = 20

function hunkHtml({ text, old, new: now, skipped }: DiffRow, columns: number): string {
  const shown = escapeHtml(text)
  const cell = `<td colspan="${columns}">${shown}</td>`
  if (!skipped || skipped < 0) return `<tr class="diff-hunk"><th scope="row">…</th>${cell}</tr>`
  const ways =
    skipped <= few_lines ? expander('all') : `${now === 1 ? '' : expander('down')}${expander('up')}`
  return `<tr class="diff-hunk" data-old="${old}" data-new="${now}" data-lines="${skipped}"><th scope="row"><span class="diff-gap">…</span>${ways}</th>${cell}</tr>`
}

type Way = keyof typeof repository.expand
const signs: Readonly<Record<Way, string>> = { all: '↕', down: '↓', up: '↑' }

const expander = (way: Way) =>
  `<button type="button" class="diff-expand" data-way="${way}" aria-label="${repository.expand[way]}" title="${repository.expand[way]}">${signs[way]}</button>`

/** What follows the last change, where there may be more lines: `old` and `now` are the numbers of the first. */
export function gapAfterLastChangeHtml(
  { old, now }: { old: number; now: number },
  isWide: boolean,
): string {
  return `<table class="diff-table diff-tail ${isWide ? 'diff-wide' : ''}">${isWide ? columns : ''}<tbody><tr class="diff-hunk" data-old="${old}" data-new="${now}" data-lines=""><th scope="row">${expander('down')}</th><td colspan="${isWide ? 3 : 1}"></td></tr></tbody></table>`
}

/** A line that did not change, shown afterwards. */
export function contextLineHtml(
  { old, now, html }: { old: number; now: number; html: string },
  isWide: boolean,
): string {
  const text = html || '<br>'
  const cells = isWide
    ? `<th scope="row">${old}</th><td>${text}</td><th scope="row">${now}</th><td>${text}</td>`
    : `<th scope="row">${pad(old)} ${pad(now)}</th><td>${text}</td>`
  return `<tr class="diff-same diff-context"${numbersOf(old, now)}>${cells}</tr>`
}

function side(row: DiffRow | undefined, number: number | undefined): string {
  if (!row) return '<td class="diff-none"></td><td class="diff-none"></td>'
  return `<th scope="row">${number ?? ''}</th><td class="diff-side-${row.kind}">${rowCellHtml(row)}</td>`
}

function* inOne(rows: readonly DiffRow[]): Generator<DiffTableLine> {
  let before: DiffRow['kind'] = 'hunk'
  for (const row of rows) {
    yield { cells: [row], isFirst: isChange(row.kind) && !isChange(before) }
    before = row.kind
  }
}

function* sides(rows: readonly DiffRow[]): Generator<DiffTableLine> {
  let at = 0
  while (at < rows.length) {
    const row = rows[at]
    if (!row) return
    if (!isChange(row.kind)) {
      yield { cells: row.kind === 'hunk' ? [row] : [row, row], isFirst: false }
      at += 1
      continue
    }
    let removed = at
    while (rows[removed]?.kind === 'removed') removed += 1
    let added = removed
    while (rows[added]?.kind === 'added') added += 1
    const count = Math.max(removed - at, added - removed)
    for (let place = 0; place < count; place += 1) {
      const old = at + place < removed ? rows[at + place] : undefined
      const now = removed + place < added ? rows[removed + place] : undefined
      yield { cells: [old, now], isFirst: place === 0 }
    }
    at = added
  }
}

const isChange = (kind: DiffRow['kind']) => kind === 'added' || kind === 'removed'
const pad = (number: number | undefined) => String(number ?? '').padStart(5)
