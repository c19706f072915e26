// A line of a log as HTML; what is not ours in it is escaped.
import { escapeHtml } from '../html.ts'
import { AnsiRenderer } from './ansi.ts'
import type { LogSection } from './folds.ts'

export type LogTexts = {
  line: (number: number) => string
  sectionLabel: (header: string) => string
  sectionDuration: (seconds: number) => string
  truncated: (characters: number) => string
}

/** Beyond this a line is cut: the raw log has all of it. */
const line_characters = 10_000

/** With a slice of so many lines the browser need not look at those out of sight (log.css has its height). */
export const slice_rows = 100

/**
 * `first` and `last` are lines; a plain slice has as many rows as any, all alike, so that its height is known. `html`
 * makes its rows.
 */
export type LogSlice = { first: number; last: number; isPlain: boolean; html: () => string }

export type LogRow = { number: number; text: string; section?: LogSection; isFolded?: boolean }

/** Rows of a block in slices. */
export function renderRowSlices(rows: readonly LogRow[], words: LogTexts): LogSlice[] {
  const slices: LogSlice[] = []
  const ansi = new AnsiRenderer()
  for (let at = 0; at < rows.length; at += slice_rows) {
    const slice = rows.slice(at, at + slice_rows)
    const texts = slice.map(({ text }) => text.slice(0, line_characters))
    const own = ansi.pass(texts)
    slices.push({
      first: slice[0]?.number ?? 0,
      last: slice.at(-1)?.number ?? 0,
      isPlain: slice.length === slice_rows && !slice.some(({ section }) => section),
      html: () => {
        const ansi = own.pass([])
        return slice.map((row, at) => rowHtml(row, ansi.html(texts[at] ?? ''), words)).join('')
      },
    })
  }
  return slices
}

function rowHtml(
  { number, text, section, isFolded }: LogRow,
  shown: string,
  words: LogTexts,
): string {
  const rest = text.length - line_characters
  const cut = rest > 0 ? `<span class="log-cut">${escapeHtml(words.truncated(rest))}</span>` : ''
  const fold = section
    ? `<button type="button" class="log-fold" data-line="${number}" aria-expanded="${!isFolded}" aria-label="${escapeHtml(words.sectionLabel(section.header))}"></button>`
    : ''
  const took = section?.end
    ? `<span class="log-took">${escapeHtml(words.sectionDuration(seconds(section)))}</span>`
    : ''
  return `<div class="log-line${section ? ' log-header' : ''}" data-line="${number}"><a class="log-number" href="#L${number}" tabindex="-1" data-line="${number}" aria-label="${words.line(number)}"></a>${fold}<span class="log-text">${shown}${cut}\n</span>${took}</div>`
}

function seconds({ start, end }: LogSection): number {
  return (Date.parse(end ?? start) - Date.parse(start)) / 1000
}
