import { type Figure, type Measured, type Row, ratioOf } from './row.ts'

export type Line = { row: Row; measured: Measured | undefined; problem?: string }

function digits(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function figure({ value, unit, of }: Figure): string {
  const text = unit === '/s' ? `${digits(value)}/s` : `${digits(value)} ${unit}`
  return of ? `${text} ${of}` : text
}

function cells({ row, measured, problem }: Line): string[] {
  const { name, goal } = row
  if (!measured) return [name, '', `failed: ${problem ?? ''}`, '', goal?.text ?? '', 'no', '']
  const { floor, ours, note = '' } = measured
  const ratio = ratioOf(measured)
  return [
    name,
    floor ? figure(floor) : '',
    figure(ours),
    ratio === undefined ? '' : digits(ratio),
    goal?.text ?? '',
    goal ? (goal.isMet(measured) ? 'met' : 'MISSED') : '',
    note,
  ]
}

const heads = ['work', 'floor', 'ours', 'ratio', 'goal', 'met', 'note']

/** The lines as a table in columns. */
export function formatTable(lines: readonly Line[]): string {
  const table = [heads, ...lines.map(cells)]
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One line for those who wait. */
export function formatLine(line: Line): string {
  return cells(line)
    .filter((cell) => cell !== '')
    .join(' | ')
}
