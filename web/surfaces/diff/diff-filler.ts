// Puts the changes of files into their places: what is in sight first, the rest in slices, and far beyond only what
// comes near.
import { languageOf } from '../code/languages.ts'
import { appendHtml, setHtml } from '../html.ts'
import { highlightRows, paintChunkHighlights } from './diff-colours.ts'
import { type DiffTableLine, gapAfterLastChangeHtml, renderDiffChunks } from './diff-html.ts'
import { type DiffRow, parseDiffRows } from './diff-rows.ts'
import type { MovedLines } from './moved-lines.ts'

/** Rows that go in at once: two screens of them. */
const first_rows = 100
/** Up to so many rows all are in the page, so that its own search finds them. */
const whole_rows = 20_000
const slice_ms = 8
const near = '1500px'

/** What a page of the list tells of a file: an empty text that is `collapsed` is to be asked for alone. */
type Text = { diff?: string; collapsed: boolean }
type ReadText = (index: number) => Promise<Text | undefined>
type Place = { element: HTMLElement; path: string; onLeftOut: () => void }
/** What a file that is in the page consists of, until it has its colours. */
type Plain = {
  rows: readonly DiffRow[]
  chunks: readonly (readonly DiffTableLine[])[]
  language: string
}

export class DiffFiller {
  readonly #read: ReadText
  readonly #isWide: boolean
  readonly #onFilled: (element: HTMLElement) => void
  readonly #places = new Map<number, Place>()
  /** Those that have not been looked at yet. */
  readonly #waiting = new Set<number>()
  /** Colours come to what is near: nobody waits for those of the other files. */
  readonly #plain = new Map<Element, Plain>()
  readonly #observer: IntersectionObserver
  #moved: MovedLines | undefined
  #rows = 0
  #isOver = false
  #slice = performance.now()

  constructor(
    read: ReadText,
    { isWide, onFilled }: { isWide: boolean; onFilled: (element: HTMLElement) => void },
  ) {
    this.#read = read
    this.#isWide = isWide
    this.#onFilled = onFilled
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries)
          if (isIntersecting) void this.#comeNear(target as HTMLElement)
      },
      { rootMargin: near },
    )
  }

  /** `index` is the place of a file in the list; its element is filled in time, or it is told that the text is left out. */
  add(index: number, place: Place): void {
    this.#places.set(index, place)
    this.#waiting.add(index)
    // Whoever else is added in this turn comes in order.
    if (this.#waiting.size === 1) queueMicrotask(() => void this.#run())
  }

  /** Fills in order as far as all is to be in the page, then what comes near. */
  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      const index = Math.min(...this.#waiting)
      const place = this.#places.get(index)
      if (this.#isOver) return
      if (place && this.#rows < whole_rows) await this.#readAndFill(index, place)
      else if (place) this.#observer.observe(place.element)
      this.#waiting.delete(index)
    }
  }

  end(): void {
    this.#isOver = true
    this.#observer.disconnect()
  }

  async #readAndFill(index: number, { element, path, onLeftOut }: Place): Promise<void> {
    this.#places.delete(index)
    const text = await this.#read(index).catch(() => undefined)
    if (text?.collapsed) onLeftOut()
    else if (text?.diff !== undefined) await this.fill(element, path, text.diff)
  }

  /** Shows the text of one file. */
  async fill(element: HTMLElement, path: string, diff: string): Promise<void> {
    if (this.#isOver) return
    setHtml(element, '')
    const rows = parseDiffRows(diff)
    const chunks: (readonly DiffTableLine[])[] = []
    for (const { lines, html } of renderDiffChunks(rows, { isWide: this.#isWide })) {
      chunks.push(lines)
      appendHtml(element, html)
      this.#rows += lines.length
      if (this.#rows > first_rows) await this.#breathe()
      if (this.#isOver) return
    }
    const after = element.dataset.expands === undefined ? undefined : afterLast(rows)
    if (after) appendHtml(element, gapAfterLastChangeHtml(after, this.#isWide))
    element.classList.add('diff-filled')
    this.#onFilled(element)
    void this.#markMoved(path, element, rows)
    const language = languageOf(path)
    if (!language) return
    this.#plain.set(element, { rows, chunks, language })
    this.#observer.observe(element)
  }

  /** Whoever reads does not wait for it. */
  async #markMoved(path: string, element: HTMLElement, rows: readonly DiffRow[]): Promise<void> {
    const { MovedLines } = await import('./moved-lines.ts')
    if (this.#isOver) return
    this.#moved ??= new MovedLines()
    this.#moved.add(path, element, rows)
  }

  async #colour(element: Element): Promise<void> {
    const plain = this.#plain.get(element)
    this.#plain.delete(element)
    if (!plain || !(await highlightRows(plain.rows, plain.language))) return
    const elements = element.querySelectorAll('.diff-chunk')
    for (const [at, lines] of plain.chunks.entries()) {
      const painted = elements[at]
      if (this.#isOver) return
      if (painted) paintChunkHighlights(painted, lines)
      await this.#breathe()
    }
  }

  /** A file that is near is filled; one that is filled gets its colours. */
  async #comeNear(element: HTMLElement): Promise<void> {
    this.#observer.unobserve(element)
    const index = Number(element.dataset.index)
    const place = this.#places.get(index)
    await (place ? this.#readAndFill(index, place) : this.#colour(element))
  }

  /** Lets the browser do what waits, once the slice is over. */
  async #breathe(): Promise<void> {
    if (performance.now() - this.#slice < slice_ms) return
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(0)
    })
    this.#slice = performance.now()
  }
}

/** Lines that git shows after a change; fewer of them are the end of the file. */
const context_lines = 3

/** The numbers of the line after the last one shown, unless the file ends there. */
function afterLast(rows: readonly DiffRow[]): { old: number; now: number } | undefined {
  const last = rows.at(-1)
  const isEnd = rows.slice(-context_lines).some(({ kind }) => kind !== 'same')
  if (isEnd || last?.old === undefined || last.new === undefined) return undefined
  return { old: last.old + 1, now: last.new + 1 }
}
