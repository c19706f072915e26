// A file as lines. The text is there at once: what is in sight first, the rest in slices, colours when they come.
import { escapeHtml, setHtml } from '../html.ts'
import { runInSlices } from '../run-in-slices.ts'

/** The first and the last line that an address names, from 1. */
export type CodeLineRange = { from: number; to: number }

/** Lines of a block, which the browser lays out when it comes into sight. */
const block_lines = 100

/** Draws the lines of a file into an element. */
export class CodeRenderer {
  readonly #element: HTMLElement
  readonly #lines: readonly string[]
  readonly #noteOf: ((line: number) => string) | undefined
  #coloured: readonly string[] | undefined
  #blocks: HTMLElement[] = []
  #filled = new Set<number>()
  #range: CodeLineRange | undefined
  #stop = () => {}

  /** `noteOf` is HTML before a line, from 1; of a surface that escaped it. */
  constructor(element: HTMLElement, lines: readonly string[], noteOf?: (line: number) => string) {
    this.#element = element
    this.#lines = lines
    this.#noteOf = noteOf
  }

  /** Shows the lines around `first` now, and all others soon. */
  show(first: number): void {
    const count = Math.ceil(this.#lines.length / block_lines)
    this.#element.style.setProperty('--code-columns', String(measureWidestLine(this.#lines)))
    this.#blocks = Array.from({ length: count }, (_, place) => this.#newBlock(place))
    this.#element.replaceChildren(...this.#blocks)
    const here = Math.floor((first - 1) / block_lines)
    for (const place of [here, here + 1]) this.#fill(place)
    this.#refill()
  }

  /** `lines` are HTML, one for each line of the text. */
  colour(lines: readonly string[]): void {
    this.#coloured = lines
    this.#filled.clear()
    this.#refill()
  }

  /** Marks what the address names, and says where it begins. */
  mark(range: CodeLineRange | undefined): HTMLElement | undefined {
    const before = this.#range
    this.#range = range
    for (const one of [before, range]) {
      if (!one) continue
      for (let place = blockOf(one.from); place <= blockOf(one.to); place += 1)
        if (this.#filled.has(place)) this.#fill(place)
    }
    if (!range) return undefined
    this.#fill(blockOf(range.from))
    return this.#blocks[blockOf(range.from)]?.children[(range.from - 1) % block_lines] as
      | HTMLElement
      | undefined
  }

  end(): void {
    this.#stop()
  }

  #refill(): void {
    this.#stop()
    this.#stop = runInSlices(this.#fillAll())
  }

  *#fillAll() {
    for (const place of this.#blocks.keys()) {
      if (!this.#filled.has(place)) yield this.#fill(place)
    }
  }

  #newBlock(place: number): HTMLElement {
    const block = document.createElement('div')
    block.className = 'code-block'
    const lines = Math.min(block_lines, this.#lines.length - place * block_lines)
    block.style.setProperty('--code-lines', String(lines))
    return block
  }

  #fill(place: number): void {
    const block = this.#blocks[place]
    if (!block) return
    this.#filled.add(place)
    let html = ''
    const end = Math.min((place + 1) * block_lines, this.#lines.length)
    for (let at = place * block_lines; at < end; at += 1) html += this.#lineHtml(at)
    setHtml(block, html)
  }

  #lineHtml(at: number): string {
    const number = at + 1
    const isMarked = this.#range && number >= this.#range.from && number <= this.#range.to
    const text = this.#coloured?.[at] ?? escapeHtml(this.#lines[at] ?? '')
    const note = this.#noteOf?.(number) ?? ''
    const look = isMarked ? 'code-line code-marked' : 'code-line'
    return `<div class="${look}" id="L${number}" data-n="${number}">${note}<span class="code-text">${text}\n</span></div>`
  }
}

const blockOf = (line: number) => Math.floor((line - 1) / block_lines)

/** Columns of the longest line, near enough: a tab counts eight, letters of two columns count so. */
export function measureWidestLine(lines: readonly string[]): number {
  let most = 0
  for (const line of lines) {
    if (line.length * 2 <= most) continue
    const tabs = line.split('\t').length - 1
    const wide = line.match(/[\u1100-\uffef]/g)?.length ?? 0
    most = Math.max(most, line.length + tabs * 7 + wide)
  }
  return Math.min(most, 20_000)
}
