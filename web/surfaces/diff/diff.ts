// A diff of one file as a table: row headers are its line numbers, signs say what was added and removed, colours only
// say it again. Rows come in bodies of a hundred, which the browser draws when they are near.
import { appendHtml, escapeHtml, setHtml } from '../html.ts'
import { inSlices } from '../slices.ts'
import { type DiffLine, readPatch } from './patch.ts'
import './diff.css'

export type Words = { old: string; now: string; line: string; label: string }

const body_rows = 100
const first_bodies = 1

/** Fills the element; answers how to stop, and when all of it is in. */
export function showDiff(
  element: HTMLElement,
  {
    patch,
    isSideBySide,
    id,
    words,
    isFirst,
  }: { patch: string; isSideBySide: boolean; id: string; words: Words; isFirst: boolean },
): { end: () => void; done: Promise<void> } {
  const lines = readPatch(patch)
  const rows = isSideBySide ? pairRows(lines, id) : lines.map((line) => rowHtml(line, id))
  const bodies: string[] = []
  for (let from = 0; from < rows.length; from += body_rows) {
    bodies.push(`<tbody class="diff-body">${rows.slice(from, from + body_rows).join('')}</tbody>`)
  }
  const head = isSideBySide
    ? `<thead class="only-spoken"><tr><th>${words.old}</th><th>${words.line}</th><th>${words.now}</th><th>${words.line}</th></tr></thead>`
    : `<thead class="only-spoken"><tr><th>${words.old}</th><th>${words.now}</th><th>${words.line}</th></tr></thead>`
  const at_once = isFirst ? first_bodies : 0
  setHtml(
    element,
    `<table class="diff-table ${isSideBySide ? 'diff-wide' : ''}" aria-label="${escapeHtml(words.label)}">${head}${bodies.slice(0, Math.max(1, at_once)).join('')}</table>`,
  )
  const table = element.firstElementChild
  const work = new AbortController()
  const rest = bodies.slice(Math.max(1, at_once))
  const done = table
    ? inSlices(
        rest.map((body) => () => appendHtml(table, body)),
        work.signal,
      )
    : Promise.resolve()
  return { end: () => work.abort(), done }
}

const signs = { added: '+', removed: '−', same: '', hunk: '', note: '' } as const

function rowHtml(line: DiffLine, id: string): string {
  if (line.kind === 'hunk' || line.kind === 'note') {
    return `<tr class="diff-${line.kind}"><th></th><th></th><td>${escapeHtml(line.text)}</td></tr>`
  }
  return `<tr class="diff-${line.kind}">${numberHtml(line.old, `${id}-o`)}${numberHtml(line.now, `${id}-n`)}${textHtml(line)}</tr>`
}

function numberHtml(number: number | null, id: string): string {
  if (number === null) return '<th></th>'
  return `<th scope="row" id="${id}${number}" data-line="${number}"></th>`
}

function textHtml(line: DiffLine | undefined): string {
  if (!line) return '<td class="diff-nothing"></td>'
  const { text, changed, kind } = line
  const sign = signs[kind]
  const signed = `<td class="diff-text diff-is-${kind}" data-sign="${sign}">${sign === '' ? '' : `<span class="only-spoken">${sign}</span>`}`
  if (!changed) return `${signed}${escapeHtml(text)}</td>`
  const { from, to } = changed
  return `${signed}${escapeHtml(text.slice(0, from))}<b class="diff-word">${escapeHtml(text.slice(from, to))}</b>${escapeHtml(text.slice(to))}</td>`
}

/** Two columns: a removed line beside the added one that stands in its place. */
function pairRows(lines: readonly DiffLine[], id: string): string[] {
  const rows: string[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]
    if (!line) break
    if (line.kind === 'hunk' || line.kind === 'note') {
      rows.push(
        `<tr class="diff-${line.kind}"><th></th><td colspan="3">${escapeHtml(line.text)}</td></tr>`,
      )
      at += 1
    } else if (line.kind === 'same') {
      rows.push(pairHtml(line, line, id))
      at += 1
    } else {
      const [removed, afterRemoved] = takeRun(lines, at, 'removed')
      const [added, after] = takeRun(lines, afterRemoved, 'added')
      for (let pair = 0; pair < Math.max(removed.length, added.length); pair += 1) {
        rows.push(pairHtml(removed[pair], added[pair], id))
      }
      at = after
    }
  }
  return rows
}

function pairHtml(left: DiffLine | undefined, right: DiffLine | undefined, id: string): string {
  return `<tr>${numberHtml(left?.old ?? null, `${id}-o`)}${textHtml(left)}${numberHtml(right?.now ?? null, `${id}-n`)}${textHtml(right)}</tr>`
}

function takeRun(
  lines: readonly DiffLine[],
  from: number,
  kind: DiffLine['kind'],
): [DiffLine[], number] {
  let to = from
  while (lines[to]?.kind === kind) to += 1
  return [lines.slice(from, to), to]
}
