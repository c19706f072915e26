// Comma separated values as rows (RFC 4180). Linear; what quotes leave open ends with the text.

/** Rows of cells, at most so many rows. The separator is a tab for `.tsv`, else what the first line has most of. */
export function parseCsv(
  text: string,
  { isTabbed, rows_max }: { isTabbed: boolean; rows_max: number },
): string[][] {
  const [first = ''] = text.split('\n', 1)
  const separator = isTabbed ? '\t' : first.split(';').length > first.split(',').length ? ';' : ','
  const rows: string[][] = []
  let row: string[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length && rows.length < rows_max) {
    const { cell, end } = text[at] === '"' ? readQuoted(text, at) : { cell: '', end: at }
    const rest = endOf(text, end, separator)
    row.push(cell + text.slice(end, rest))
    at = rest + 1
    if (text[rest] === separator) {
      if (at >= text.length) row.push('')
      else continue
    }
    if (text[rest] === '\r' && text[at] === '\n') at += 1
    rows.push(row)
    row = []
  }
  if (row.length > 0 && rows.length < rows_max) rows.push(row)
  return rows
}

function readQuoted(text: string, begin: number): { cell: string; end: number } {
  let cell = ''
  let at = begin + 1
  while (true) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return { cell: cell + text.slice(at), end: text.length }
    cell += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 }
    cell += '"'
    at = quote + 2
  }
}

function endOf(text: string, from: number, separator: string): number {
  let at = from
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r')
    at += 1
  return at
}
