// Slices of rows that are out of sight. Their height is known, so the page is painted before their rows are in it.
import { setHtml } from '../html.ts'
import type { LogSlice } from './log-html.ts'

const turn_ms = 8

export class LazySlices {
  readonly #late = new Map<HTMLElement, LogSlice>()
  readonly #onFilled: () => void
  #isDue = false

  /** `onFilled` is told when rows have come that were not there when the page was painted. */
  constructor(onFilled: () => void) {
    this.#onFilled = onFilled
  }

  /** Has slices in an element: those that are near at once, the others after the paint. */
  put(element: HTMLElement, slices: readonly LogSlice[], isNear: (at: number) => boolean): void {
    const isLate = slices.map(({ isPlain }, at) => isPlain && !isNear(at))
    const html = slices.map(({ isPlain, html: rows }, at) => {
      return `<div class="${isPlain ? 'log-slice' : ''}">${isLate[at] ? '' : rows()}</div>`
    })
    setHtml(element, html.join(''))
    for (const [at, slice] of slices.entries()) {
      const box = element.children[at]
      if (isLate[at] && box instanceof HTMLElement) this.#late.set(box, slice)
    }
    if (this.#late.size > 0) this.#fillSoon()
  }

  /** Has the row of a line in the page, if its slice is. */
  fillLine(line: number): void {
    for (const [box, slice] of this.#late) {
      if (slice.first <= line && line <= slice.last) this.#fill(box, slice)
    }
  }

  /** Has all rows in the page, whose heights are about to be other ones. */
  fillAll(): void {
    for (const [box, slice] of this.#late) this.#fill(box, slice)
  }

  #fill(box: HTMLElement, { html }: LogSlice): void {
    this.#late.delete(box)
    if (box.isConnected) setHtml(box, html())
  }

  #fillSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    requestAnimationFrame(() => setTimeout(() => this.#fillSome()))
  }

  #fillSome(): void {
    const end = performance.now() + turn_ms
    for (const [box, slice] of this.#late) {
      if (performance.now() > end) break
      this.#fill(box, slice)
    }
    if (this.#late.size > 0) return void setTimeout(() => this.#fillSome())
    this.#isDue = false
    this.#onFilled()
  }
}
