// A log of any length: three blocks of a thousand lines are in the page, wherever one is; the bar counts lines. Bytes
// are read by ranges as they are wanted, and let go again.
import { setHtml } from '../html.ts'
import { newAnsi, withoutColours } from './ansi.ts'
import './log.css'

/** What is known of the log: its lines, and where every thousandth begins. */
export type LogIndex = { bytes: number; lines: number; offsets: readonly number[] }
export type LogSource = {
  bytes: (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>
}
export type Hit = { line: number }

export const block_lines = 1_000
const line_px = 20
/** Chromium cuts a box at 33,554,428 px. */
const height_px_max = 30_000_000
const kept_blocks = 9
const hits_max = 5_000

export class Log {
  readonly #box: HTMLElement
  readonly #sheet: HTMLElement
  readonly #source: LogSource
  readonly #label: (line: number) => string
  /** Blocks in the page, each with the byte that it is shown up to. */
  readonly #blocks = new Map<number, { element: HTMLElement; to: number }>()
  readonly #texts = new Map<number, { to: number; lines: Promise<string[]> }>()
  readonly #work = new AbortController()
  #index: LogIndex = { bytes: 0, lines: 0, offsets: [] }
  #marked: { from: number; to: number } | undefined
  #follows = false
  #drawn = 0
  /** Told when somebody scrolls away from the end, or back to it. */
  onFollow: (follows: boolean) => void = () => {}

  constructor(box: HTMLElement, source: LogSource, label: (line: number) => string) {
    this.#box = box
    this.#source = source
    this.#label = label
    this.#sheet = document.createElement('div')
    this.#sheet.className = 'log-sheet'
    box.append(this.#sheet)
    box.addEventListener('scroll', this.#onScroll, { passive: true })
  }

  end(): void {
    this.#work.abort()
    this.#box.removeEventListener('scroll', this.#onScroll)
    this.#sheet.remove()
  }

  /** Takes a new index: the log has grown, or is another one. */
  async setIndex(index: LogIndex): Promise<void> {
    const before = this.#index
    this.#index = index
    if (index.bytes < before.bytes) this.#forget()
    this.#sheet.style.blockSize = `${Math.min(index.lines * line_px, height_px_max) + 8}px`
    if (this.#follows) this.#box.scrollTop = this.#box.scrollHeight
    await this.#draw()
    if (this.#follows) this.#box.scrollTop = this.#box.scrollHeight
  }

  /** It is another log: it was erased, or the job runs again. */
  #forget(): void {
    for (const { element } of this.#blocks.values()) element.remove()
    this.#blocks.clear()
    this.#texts.clear()
  }

  /** The byte that a block ends at, as far as the log has come. */
  #endOf(block: number): number {
    return this.#index.offsets[block + 1] ?? this.#index.bytes
  }

  get lines(): number {
    return this.#index.lines
  }

  follow(follows: boolean): void {
    this.#follows = follows
    if (follows) this.#box.scrollTop = this.#box.scrollHeight
    this.onFollow(follows)
    void this.#draw()
  }

  /** Brings a line into the middle, and marks it with those up to `to`. */
  async goTo(line: number, to = line): Promise<void> {
    this.#marked = { from: line, to }
    this.#follows = false
    this.onFollow(false)
    const middle = this.#box.clientHeight / 2
    this.#box.scrollTop = Math.max(0, ((line - 1) * line_px) / this.#scale() - middle)
    await this.#draw()
    this.#mark()
  }

  wrap(wraps: boolean): void {
    this.#box.classList.toggle('log-wrapped', wraps)
  }

  /** The lines that have the text, the first few thousand of them; reads the whole log, piece by piece. */
  async search(text: string, signal: AbortSignal): Promise<Hit[]> {
    const wanted = text.toLowerCase()
    return this.find((line) => line.toLowerCase().includes(wanted), signal)
  }

  async find(
    fits: (line: string) => boolean,
    signal: AbortSignal,
    most = hits_max,
  ): Promise<Hit[]> {
    const hits: Hit[] = []
    const count = Math.ceil(this.#index.lines / block_lines)
    for (let block = 0; block < count && hits.length < most; block += 1) {
      const lines = await this.#read(block, signal)
      if (signal.aborted) return hits
      for (const [at, line] of lines.entries()) {
        if (hits.length < most && fits(withoutColours(line)))
          hits.push({ line: block * block_lines + at + 1 })
      }
    }
    return hits
  }

  /** The line that a byte of the log is in. */
  async lineAt(offset: number): Promise<number> {
    const { offsets } = this.#index
    let block = 0
    while ((offsets[block + 1] ?? Number.POSITIVE_INFINITY) <= offset) block += 1
    const lines = await this.#text(block)
    let at = offsets[block] ?? 0
    for (const [number, line] of lines.entries()) {
      at += new TextEncoder().encode(line).length + 1
      if (at > offset) return block * block_lines + number + 1
    }
    return block * block_lines + 1
  }

  #scale(): number {
    return Math.max(1, (this.#index.lines * line_px) / height_px_max)
  }

  readonly #onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = this.#box
    const isAtEnd = scrollHeight - scrollTop - clientHeight < line_px * 2
    if (this.#follows && !isAtEnd) {
      this.#follows = false
      this.onFollow(false)
    }
    void this.#draw()
  }

  /** Has the blocks around what is seen in the page, and no other. */
  async #draw(): Promise<void> {
    const turn = ++this.#drawn
    const { scrollTop } = this.#box
    const top = (scrollTop / line_px) * this.#scale()
    const count = Math.ceil(this.#index.lines / block_lines)
    const middle = Math.min(
      count - 1,
      Math.floor((top + this.#box.clientHeight / line_px / 2) / block_lines),
    )
    const wanted = [middle, middle - 1, middle + 1].filter((block) => block >= 0 && block < count)
    for (const [block, { element }] of this.#blocks) {
      if (wanted.includes(block)) continue
      element.remove()
      this.#blocks.delete(block)
    }
    for (const block of wanted) {
      await this.#fill(block)
      if (turn !== this.#drawn) return
      this.#place(block, { top, scrollTop })
    }
    this.#mark()
  }

  #place(block: number, { top, scrollTop }: { top: number; scrollTop: number }): void {
    const element = this.#blocks.get(block)?.element
    const from_px =
      this.#scale() === 1
        ? block * block_lines * line_px
        : scrollTop + (block * block_lines - top) * line_px
    if (element) element.style.insetBlockStart = `${Math.max(0, from_px)}px`
  }

  async #fill(block: number): Promise<void> {
    const to = this.#endOf(block)
    if (this.#blocks.get(block)?.to === to) return
    const lines = await this.#text(block).catch(() => undefined)
    if (!lines || this.#work.signal.aborted) return
    // Somebody else may have been quicker while the bytes came.
    const there = this.#blocks.get(block)
    if (there && there.to >= to) return
    const element = there?.element ?? document.createElement('div')
    element.className = 'log-block'
    setHtml(element, this.#html(block, lines))
    this.#blocks.set(block, { element, to })
    if (!there) this.#sheet.append(element)
  }

  #html(block: number, lines: readonly string[]): string {
    const ansi = newAnsi()
    return lines
      .map((line, at) => {
        const number = block * block_lines + at + 1
        return `<div class="log-line" data-line="${number}"><a class="log-number" href="#L${number}" tabindex="-1" data-line="${number}" aria-label="${this.#label(number)}"></a><span class="log-text">${ansi(line)}\n</span></div>`
      })
      .join('')
  }

  #mark(): void {
    const marked = this.#marked
    if (!marked) return
    for (const old of this.#sheet.querySelectorAll('.log-marked'))
      old.classList.remove('log-marked')
    for (const [block, { element }] of this.#blocks) {
      const first = block * block_lines + 1
      for (
        let line = Math.max(first, marked.from);
        line <= Math.min(marked.to, first + block_lines - 1);
        line += 1
      ) {
        element.children[line - first]?.classList.add('log-marked')
      }
    }
  }

  #text(block: number): Promise<string[]> {
    const to = this.#endOf(block)
    const known = this.#texts.get(block)
    if (known?.to === to) return known.lines
    const lines = this.#read(block, this.#work.signal)
    this.#texts.set(block, { to, lines })
    if (this.#texts.size > kept_blocks) this.#texts.delete(this.#texts.keys().next().value ?? 0)
    lines.catch(() => this.#texts.delete(block))
    return lines
  }

  async #read(block: number, signal: AbortSignal): Promise<string[]> {
    const from = this.#index.offsets[block] ?? 0
    const to = this.#endOf(block)
    if (to <= from) return []
    const text = new TextDecoder().decode(await this.#source.bytes(from, to, signal))
    const lines = text.split('\n')
    if (lines.at(-1) === '') lines.pop()
    return lines
  }
}
