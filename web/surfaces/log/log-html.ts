// A line of a log as HTML; what is not ours in it is escaped.
import { escapeHtml } from '../html.ts'
import type { LogSection } from './folds.ts'

export type LogWords = {
  line: (number: number) => string
  fold: (header: string) => string
  took: (seconds: number) => string
  cut: (characters: number) => string
}

/** Beyond this a line is cut: the raw log has all of it. */
const line_characters = 10_000

export type LogRow = {
  number: number
  text: string
  ansi: (line: string) => string
  words: LogWords
  section?: LogSection
  isFolded?: boolean
}

export function logHtml({ number, text, ansi, words, section, isFolded }: LogRow): string {
  const rest = text.length - line_characters
  const shown = ansi(rest > 0 ? text.slice(0, line_characters) : text)
  const cut = rest > 0 ? `<span class="log-cut">${escapeHtml(words.cut(rest))}</span>` : ''
  const fold = section
    ? `<button type="button" class="log-fold" data-line="${number}" aria-expanded="${!isFolded}" aria-label="${escapeHtml(words.fold(section.header))}"></button>`
    : ''
  const took = section?.end
    ? `<span class="log-took">${escapeHtml(words.took(seconds(section)))}</span>`
    : ''
  return `<div class="log-line${section ? ' log-header' : ''}" data-line="${number}"><a class="log-number" href="#L${number}" tabindex="-1" data-line="${number}" aria-label="${words.line(number)}"></a>${fold}<span class="log-text">${shown}${cut}\n</span>${took}</div>`
}

function seconds({ start, end }: LogSection): number {
  return (Date.parse(end ?? start) - Date.parse(start)) / 1000
}
