// Lines that were removed in one place and added in another, as far as their files are in the page. Linear: a line is
// compared with few others, and beyond a number of lines nothing is looked for.
import { repository } from '../../text/repository.ts'
import type { DiffRow } from './diff-rows.ts'

/** Changed lines that are looked at, of all files together. */
const lines_max = 20_000
/** Places where the same line is looked for. */
const candidates_max = 8
/** Fewer lines, or fewer letters and digits in them, are alike by chance. */
const block_lines_min = 2
const block_characters_min = 20
/** Lines of a block that say too little, after which it is given up. */
const vain_lines_max = 50

type Side = 'removed' | 'added'
/** A changed line; `next` is the changed line below it on the same side. */
type Line = { file: File; side: Side; number: number; text: string; next?: Line; isMoved?: true }
type File = { path: string; element: HTMLElement; cells?: Map<string, HTMLElement> }

export class MovedLines {
  readonly #places = { removed: new Map<string, Line[]>(), added: new Map<string, Line[]>() }
  #lines = 0

  /** Looks for lines of a file whose rows are in `element`, and marks them and their counterparts. */
  add(path: string, element: HTMLElement, rows: readonly DiffRow[]): void {
    const runs = readRuns({ path, element }, rows)
    this.#lines += runs.flat().length
    if (this.#lines > lines_max) return
    for (const line of runs.flat()) this.#place(line)
    for (const run of runs) this.#match(run)
  }

  #place(line: Line): void {
    const places = this.#places[line.side]
    const known = places.get(line.text)
    if (!known) places.set(line.text, [line])
    else if (known.length < candidates_max) known.push(line)
  }

  #match(run: readonly Line[]): void {
    for (let at = 0; at < run.length; ) {
      const line = run[at] as Line
      const others = this.#places[line.side === 'added' ? 'removed' : 'added'].get(line.text) ?? []
      const isBlank = charactersOf(line.text) === 0
      const lengths = isBlank ? [] : others.map((other) => lengthOf(line, other))
      const longest = Math.max(0, ...lengths)
      const other = others[lengths.indexOf(longest)]
      if (longest > 0 && other) mark(line, other, longest)
      at += Math.max(1, longest)
    }
  }
}

/** Changed lines that follow one another, by side. */
function readRuns(file: File, rows: readonly DiffRow[]): Line[][] {
  const runs: Line[][] = []
  for (const side of ['removed', 'added'] as const) {
    let run: Line[] = []
    for (const row of rows) {
      if (row.kind === side) {
        const number = (side === 'added' ? row.new : row.old) ?? 0
        const line: Line = { file, side, number, text: row.text.trimEnd() }
        const before = run.at(-1)
        if (before) before.next = line
        run.push(line)
      } else if (row.kind === 'same' || row.kind === 'hunk') {
        if (run.length > 0) runs.push(run)
        run = []
      }
    }
    if (run.length > 0) runs.push(run)
  }
  return runs
}

const charactersOf = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** How many lines are alike from here on; 0 where they are too few to have been moved. */
function lengthOf(line: Line, other: Line): number {
  let [one, two]: [Line | undefined, Line | undefined] = [line, other]
  let [lines, characters] = [0, 0]
  while (one && two && one.text === two.text && !one.isMoved && !two.isMoved) {
    lines += 1
    characters += charactersOf(one.text)
    if (lines > vain_lines_max && characters < block_characters_min) return 0
    one = one.next
    two = two.next
  }
  return lines >= block_lines_min && characters >= block_characters_min ? lines : 0
}

function mark(line: Line, other: Line, length: number): void {
  const words = [wordsOf(line, other), wordsOf(other, line)] as const
  let [one, two]: [Line | undefined, Line | undefined] = [line, other]
  for (let count = 0; count < length && one && two; count += 1) {
    for (const [at, moved] of [one, two].entries()) {
      moved.isMoved = true
      const cell = cellsOf(moved.file).get(`${moved.side} ${moved.number}`)
      if (!cell) continue
      cell.classList.add('diff-moved')
      cell.title = words[at] ?? ''
      if (count === 0) cell.dataset.moved = words[at]
    }
    one = one.next
    two = two.next
  }
}

function wordsOf(line: Line, other: Line): string {
  const place =
    line.file.path === other.file.path
      ? repository.lineNumber(other.number)
      : `${other.file.path}:${other.number}`
  return line.side === 'added' ? repository.movedFrom(place) : repository.movedTo(place)
}

/** The cells of changed lines by side and number, read once. */
function cellsOf(file: File): Map<string, HTMLElement> {
  if (file.cells) return file.cells
  file.cells = new Map()
  for (const side of ['removed', 'added'] as const) {
    const cells = file.element.querySelectorAll<HTMLElement>(
      `tr.diff-${side} > td, td.diff-side-${side}`,
    )
    for (const cell of cells) {
      const { old, new: now } = cell.closest('tr')?.dataset ?? {}
      file.cells.set(`${side} ${side === 'added' ? now : old}`, cell)
    }
  }
  return file.cells
}
