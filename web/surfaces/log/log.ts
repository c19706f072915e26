// A log of any length: blocks of a thousand lines are in the page, those around what is seen, between two fillers that
// stand for the others. Bytes are read by ranges as they are wanted, and let go again.
import {
  canFoldSection,
  countVisibleLines,
  hiddenLineRanges,
  type LineSpan,
  type LogSection,
} from './folds.ts'
import { highlightMatches } from './highlight-matches.ts'
import { LazySlices } from './lazy-slices.ts'
import { LogBlockReader, type ReadBytes } from './log-block-reader.ts'
import {
  type LogRow,
  type LogSlice,
  type LogTexts,
  renderRowSlices,
  slice_rows,
} from './log-html.ts'
import { type Search, searchLog } from './log-search.ts'
import './log.css'

/** What is known of the log: its lines, where every thousandth begins, and its sections. */
export type LogIndex = {
  bytes: number
  lines: number
  offsets: readonly number[]
  sections: readonly LogSection[]
}
export type LogSource = {
  bytes: ReadBytes
  stream: (to: number, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
}
/** A block and how far below its beginning the view begins; or a line that is to be so far below that; or the end. */
type Target = { block: number; offset: number } | { line: number; below: number } | 'end'
/** `to` is the byte that it is shown up to, `look` says what of it is folded. */
type Block = { element: HTMLElement; to: number; look: string; height: number }

export const block_lines = 1_000
/** So much higher is the header of a section, whose button has to be hit. */
const header_px = 4
/** Chromium cuts a box at 33,554,428 px. */
const height_px_max = 30_000_000
/** So much is in the page above and below what is seen. */
const margin_px = 3_000
/** Rows that are so far from what is seen are in the page before it is painted. */
const near_px = 400

export class Log {
  readonly #box: HTMLElement
  readonly #sheet = document.createElement('div')
  readonly #source: LogSource
  readonly #words: LogTexts
  readonly #blocks = new Map<number, Block>()
  readonly #texts: LogBlockReader
  readonly #work = new AbortController()
  readonly #width: ResizeObserver
  /** How high a row is, by the letters somebody has chosen. */
  readonly #line_px: number
  readonly #late = new LazySlices(() => this.#paint())
  #index: LogIndex = { bytes: 0, lines: 0, offsets: [], sections: [] }
  /** First lines of the sections that are folded, and of those that were looked at for it once. */
  readonly #folded = new Set<number>()
  readonly #seen = new Set<number>()
  #hidden: LineSpan[] = []
  /** Blocks that have lines to show, in their order, with the height they have or are thought to have. */
  #order: number[] = []
  readonly #heights = new Map<number, number>()
  /** How many headers that are not hidden each block has. */
  readonly #headers = new Map<number, number>()
  #marked: LineSpan | undefined
  #found = ''
  #follows = false
  /** Where a drawing that has not ended goes to; scrolling does not draw elsewhere meanwhile. */
  #target: Target | undefined
  #turn = 0
  /** Told when somebody scrolls away from the end, or back to it. */
  onFollow: (follows: boolean) => void = () => {}

  constructor(box: HTMLElement, source: LogSource, words: LogTexts) {
    this.#box = box
    this.#source = source
    this.#texts = new LogBlockReader(source.bytes, this.#work.signal)
    this.#words = words
    this.#sheet.className = 'log-sheet'
    box.append(this.#sheet)
    box.addEventListener('scroll', this.#onScroll, { passive: true })
    box.addEventListener('click', this.#onClick)
    this.#line_px = Number.parseFloat(getComputedStyle(box).lineHeight)
    let width = box.clientWidth
    this.#width = new ResizeObserver(() => {
      const isSame = box.clientWidth === width
      width = box.clientWidth
      if (!isSame && this.#isWrapped) this.#measureAgain()
    })
    this.#width.observe(box)
  }

  end(): void {
    this.#work.abort()
    this.#width.disconnect()
    this.#box.removeEventListener('scroll', this.#onScroll)
    this.#box.removeEventListener('click', this.#onClick)
    this.#sheet.remove()
    highlightMatches(this.#sheet, '')
  }

  /** Takes a new index: the log has grown, or is another one. */
  async setIndex(index: LogIndex): Promise<void> {
    if (index.bytes < this.#index.bytes) this.#forget()
    this.#index = index
    for (const { first_line, collapsed } of index.sections) {
      if (collapsed && !this.#seen.has(first_line)) this.#folded.add(first_line)
      this.#seen.add(first_line)
    }
    this.#layOut()
    await this.#show(this.#target ?? (this.#follows ? 'end' : this.#here()))
  }

  get #isWrapped(): boolean {
    return this.#box.classList.contains('log-wrapped')
  }

  /** It is another log: it was erased, or the job runs again. */
  #forget(): void {
    for (const { element } of this.#blocks.values()) element.remove()
    for (const known of [this.#blocks, this.#texts, this.#heights, this.#folded, this.#seen])
      known.clear()
  }

  follow(follows: boolean): void {
    this.#follows = follows
    this.onFollow(follows)
    if (follows) void this.#show('end')
  }

  /** Brings a line into the middle, out of a folded section if need be, and marks it with those up to `to`. */
  async goTo(line: number, to = line): Promise<void> {
    const wanted = Math.max(1, Math.min(line, this.#index.lines))
    this.#marked = { from: wanted, to: Math.max(wanted, to) }
    if (this.#follows) this.follow(false)
    this.#unfold(wanted)
    await this.#show({ line: wanted, below: (this.#box.clientHeight - this.#line_px) / 2 })
  }

  /** Marks lines where they are. */
  mark(from: number, to: number): void {
    this.#marked = { from, to }
    this.#paint()
  }

  wrap(wraps: boolean): void {
    const target = this.#follows ? 'end' : this.#atTop()
    this.#box.classList.toggle('log-wrapped', wraps)
    this.#measureAgain(target)
  }

  /** Folds every section, so that their headers are an outline; or unfolds them. */
  foldAll(folds: boolean): void {
    this.#folded.clear()
    const { sections } = this.#index
    if (folds) for (const one of sections) if (canFoldSection(one)) this.#folded.add(one.first_line)
    this.#layOut()
    void this.#show(folds ? { line: sections[0]?.first_line ?? 1, below: 0 } : this.#atTop())
  }

  /** The lines that have the text, in any case; `onPiece` is told of those found while the log is read. */
  async search(
    text: string,
    signal: AbortSignal,
    onPiece: (hits: readonly number[], bytes: number) => void,
  ): Promise<number[]> {
    this.#found = text.toLowerCase()
    this.#paint()
    if (text === '') return []
    return this.find({
      fits: (line) => line.toLowerCase().includes(this.#found),
      signal,
      onPiece,
    })
  }

  /** As `searchLog`; finds nothing once the search is aborted. */
  async find(search: Search): Promise<number[]> {
    if (this.#index.bytes === 0) return []
    try {
      return await searchLog(await this.#source.stream(this.#index.bytes, search.signal), search)
    } catch (error) {
      if (search.signal.aborted) return []
      throw error
    }
  }

  // What is where.

  #layOut(): void {
    const { sections, lines } = this.#index
    const folded = sections.filter(({ first_line }) => this.#folded.has(first_line))
    this.#hidden = hiddenLineRanges(folded, lines)
    this.#headers.clear()
    for (const first of new Set(
      sections.filter(canFoldSection).map(({ first_line }) => first_line),
    )) {
      const block = Math.floor((first - 1) / block_lines)
      const isShown = countVisibleLines(this.#hidden, { from: first, to: first }) > 0
      if (isShown) this.#headers.set(block, (this.#headers.get(block) ?? 0) + 1)
    }
    this.#order = Array.from({ length: Math.ceil(lines / block_lines) }, (_, block) => block)
    if (this.#hidden.length > 0) this.#order = this.#order.filter((block) => this.#shownIn(block))
  }

  #linesOf(block: number): LineSpan {
    const from = block * block_lines + 1
    return { from, to: Math.min(from + block_lines - 1, this.#index.lines) }
  }

  /** What is hidden of a block, and its headers: those that are folded, those that have ended. */
  #lookOf(block: number): string {
    const { from, to } = this.#linesOf(block)
    const hidden = this.#hidden
      .filter((range) => range.from <= to && range.to >= from)
      .map((range) => `${Math.max(from, range.from)}-${Math.min(to, range.to)}`)
    const headers = this.#index.sections
      .filter(({ first_line }) => first_line >= from && first_line <= to)
      .map(
        (one) =>
          `${one.first_line} ${this.#folded.has(one.first_line)} ${one.end} ${canFoldSection(one)}`,
      )
    return [...hidden, ...headers].join()
  }

  #shownIn(block: number): number {
    return countVisibleLines(this.#hidden, this.#linesOf(block))
  }

  #heightOf(block: number): number {
    const known = this.#isWrapped ? this.#heights.get(block) : undefined
    return (
      known ?? this.#shownIn(block) * this.#line_px + (this.#headers.get(block) ?? 0) * header_px
    )
  }

  /** The byte that a block ends at, as far as the log has come. */
  #endOf(block: number): number {
    return this.#index.offsets[block + 1] ?? this.#index.bytes
  }

  /** Fillers are so much smaller than what they stand for. */
  #scale(): number {
    let height = 0
    for (const block of this.#order) height += this.#heightOf(block)
    return Math.max(1, height / height_px_max)
  }

  /** Where the view begins now. */
  #here(): Target {
    const { scrollTop } = this.#box
    let last: Target | undefined
    for (const block of this.#order) {
      const element = this.#blocks.get(block)?.element
      if (!element) continue
      const offset = scrollTop - element.offsetTop
      if (offset >= 0) last = { block, offset }
      if (offset >= 0 && offset < element.offsetHeight) return { block, offset }
    }
    return this.#atPixel(scrollTop) ?? last ?? { block: 0, offset: 0 }
  }

  #atPixel(scrollTop: number): Target | undefined {
    const first = this.#order.find((block) => this.#blocks.has(block))
    const window = first === undefined ? undefined : this.#blocks.get(first)?.element.offsetTop
    const isAbove = window === undefined || scrollTop < window
    const scale = this.#scale()
    // From the nearer end, since only fillers are smaller than what they stand for.
    let left = isAbove
      ? scrollTop * scale
      : (this.#box.scrollHeight - scrollTop - padding_px) * scale
    for (const block of isAbove ? this.#order : this.#order.toReversed()) {
      const height = this.#heightOf(block)
      if (left < height) return { block, offset: isAbove ? left : height - left }
      left -= height
    }
    return undefined
  }

  /** The line at the top of the view, to find it again when heights change. */
  #atTop(): Target {
    const here = this.#here()
    if (here === 'end' || !('block' in here)) return here
    const element = this.#blocks.get(here.block)?.element
    for (const row of element ? rowsOf(element) : []) {
      const below = this.#below(row)
      if (below > -this.#line_px) return { line: numberOf(row), below }
    }
    return here
  }

  /** The block of a target, and how far below its beginning the view begins. */
  #spotOf(target: Target): { at: number; offset: number } {
    const last = this.#order.length - 1
    if (target === 'end') {
      const block = this.#order[last] ?? 0
      return { at: last, offset: this.#heightOf(block) - this.#box.clientHeight }
    }
    if ('block' in target) {
      const at = this.#order.findLastIndex((block) => block <= target.block)
      return { at: Math.max(0, at), offset: target.offset }
    }
    const block = Math.floor((target.line - 1) / block_lines)
    const at = this.#order.findLastIndex((one) => one <= block)
    const above = countVisibleLines(this.#hidden, {
      from: block * block_lines + 1,
      to: target.line - 1,
    })
    const shown = Math.max(1, this.#shownIn(block))
    return { at: Math.max(0, at), offset: (above * this.#heightOf(block)) / shown - target.below }
  }

  /** The blocks that are in the page while the view begins there. */
  #around({ at, offset }: { at: number; offset: number }): number[] {
    const height = (place: number) => this.#heightOf(this.#order[place] ?? 0)
    let [low, high] = [at, at]
    for (let above = offset; above < margin_px && low > 0; above += height(low)) low -= 1
    let below = height(at) - offset - this.#box.clientHeight
    for (; below < margin_px && high < this.#order.length - 1; below += height(high)) high += 1
    return this.#order.slice(low, high + 1)
  }

  // Drawing.

  readonly #onScroll = () => {
    if (this.#target) return
    const { scrollTop, scrollHeight, clientHeight } = this.#box
    const isAtEnd = scrollHeight - scrollTop - clientHeight < this.#line_px * 2
    if (this.#follows && !isAtEnd) {
      this.#follows = false
      this.onFollow(false)
    }
    const here = this.#here()
    if (this.#around(this.#spotOf(here)).every((block) => this.#blocks.has(block))) return
    void this.#show(here)
  }

  readonly #onClick = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest('.log-fold') : null
    if (!(button instanceof HTMLElement)) return
    const line = Number(button.dataset.line)
    const below = button.getBoundingClientRect().top - this.#box.getBoundingClientRect().top
    if (!this.#folded.delete(line)) this.#folded.add(line)
    this.#layOut()
    void this.#show({ line, below }).then(() =>
      this.#sheet.querySelector<HTMLElement>(`.log-fold[data-line="${line}"]`)?.focus(),
    )
  }

  #unfold(line: number): void {
    for (const { first_line, last_line } of this.#index.sections) {
      const isInside = first_line < line && line <= (last_line ?? this.#index.lines)
      if (isInside) this.#folded.delete(first_line)
    }
    this.#layOut()
  }

  #measureAgain(target: Target = this.#follows ? 'end' : this.#atTop()): void {
    this.#late.fillAll()
    this.#heights.clear()
    for (const block of this.#blocks.values()) block.height = 0
    void this.#show(target)
  }

  /** Has the blocks around a place in the page, and no other, and the view at that place. */
  async #show(target: Target): Promise<void> {
    this.#target = target
    this.#turn += 1
    const turn = this.#turn
    for (let tries = 0; tries < 3; tries++) {
      const wanted = this.#around(this.#spotOf(target))
      const texts = new Map<number, string[]>()
      const load = async (block: number) => {
        const bytes = { from: this.#index.offsets[block] ?? 0, to: this.#endOf(block) }
        const lines = await this.#texts.read(block, bytes).catch(() => undefined)
        if (lines) texts.set(block, lines)
      }
      await Promise.all(wanted.filter((block) => !this.#isCurrent(block)).map(load))
      if (turn !== this.#turn || this.#work.signal.aborted) return
      this.#fill(wanted, texts, this.#spotOf(target))
      this.#place(target)
      // Lines that wrap are higher than thought: then there may be room for more, or too much.
      if (this.#around(this.#spotOf(target)).every((block) => wanted.includes(block))) break
    }
    this.#paint()
    this.#target = undefined
  }

  #isCurrent(block: number): boolean {
    const known = this.#blocks.get(block)
    return known?.to === this.#endOf(block) && known.look === this.#lookOf(block)
  }

  #fill(
    wanted: readonly number[],
    texts: ReadonlyMap<number, string[]>,
    spot: { at: number; offset: number },
  ): void {
    for (const [block, { element }] of this.#blocks) {
      if (wanted.includes(block)) continue
      element.remove()
      this.#blocks.delete(block)
    }
    let after: HTMLElement | undefined
    for (const block of wanted) {
      const lines = texts.get(block)
      const known = this.#blocks.get(block)
      const element = known?.element ?? document.createElement('div')
      if (lines) {
        element.className = 'log-block'
        const isNear = this.#isWrapped ? () => true : this.#nearIn(block, spot)
        this.#late.put(element, this.#slices(block, lines), isNear)
        const [to, look] = [this.#endOf(block), this.#lookOf(block)]
        this.#blocks.set(block, { element, to, look, height: 0 })
      } else if (!known) continue
      if (!known) {
        if (after) after.after(element)
        else this.#sheet.prepend(element)
      }
      after = element
    }
    if (!this.#isWrapped) return
    for (const [block, known] of this.#blocks) {
      if (known.height === 0) known.height = known.element.offsetHeight
      this.#heights.set(block, known.height)
    }
  }

  /** Which slices of a block are seen, or nearly, while the view begins there. */
  #nearIn(
    block: number,
    { at, offset }: { at: number; offset: number },
  ): (slice: number) => boolean {
    const place = this.#order.indexOf(block)
    let top = -offset
    for (let one = at; one < place; one++) top += this.#heightOf(this.#order[one] ?? 0)
    for (let one = place; one < at; one++) top -= this.#heightOf(this.#order[one] ?? 0)
    const height = slice_rows * this.#line_px
    return (slice) => {
      const from = top + slice * height
      return from + height > -near_px && from < this.#box.clientHeight + near_px
    }
  }

  #slices(block: number, lines: readonly string[]): LogSlice[] {
    const sections = new Map(this.#index.sections.map((one) => [one.first_line, one]))
    const { from, to } = this.#linesOf(block)
    const hidden = this.#hidden.filter((range) => range.from <= to && range.to >= from)
    const rows: LogRow[] = []
    for (const [at, text] of lines.entries()) {
      const number = from + at
      if (hidden.some((range) => number >= range.from && number <= range.to)) continue
      const section = sections.get(number)
      rows.push({
        number,
        text,
        ...(section && canFoldSection(section)
          ? { section, isFolded: this.#folded.has(number) }
          : {}),
      })
    }
    return renderRowSlices(rows, this.#words)
  }

  #place(target: Target): void {
    const scale = this.#scale()
    const first = this.#order.findIndex((block) => this.#blocks.has(block))
    const last = this.#order.findLastIndex((block) => this.#blocks.has(block))
    let [above, below] = [0, 0]
    for (const [at, block] of this.#order.entries()) {
      if (at < first) above += this.#heightOf(block)
      else if (at > last) below += this.#heightOf(block)
    }
    this.#sheet.style.paddingBlock = `${above / scale}px ${below / scale + padding_px}px`
    this.#box.scrollTop = this.#topOf(target)
  }

  #topOf(target: Target): number {
    if (target === 'end') return this.#box.scrollHeight
    if ('line' in target) {
      const row = this.#rowOf(target.line)
      if (row) return this.#box.scrollTop + this.#below(row) - target.below
    }
    const { at, offset } = this.#spotOf(target)
    return (this.#blocks.get(this.#order[at] ?? 0)?.element.offsetTop ?? 0) + offset
  }

  /** How far a row is below the top of the view. Its `offsetTop` may be within its slice, by how that is contained. */
  #below(row: HTMLElement): number {
    const top = this.#box.getBoundingClientRect().top + this.#box.clientTop
    return row.getBoundingClientRect().top - top
  }

  #rowOf(line: number): HTMLElement | null {
    const element = this.#blocks.get(Math.floor((line - 1) / block_lines))?.element
    this.#late.fillLine(line)
    return element?.querySelector<HTMLElement>(`.log-line[data-line="${line}"]`) ?? null
  }

  /** Shows which lines are marked, and where what was searched for stands. */
  #paint(): void {
    for (const old of this.#sheet.querySelectorAll('.log-marked'))
      old.classList.remove('log-marked')
    const { from, to } = this.#marked ?? { from: 1, to: 0 }
    for (const [block, { element }] of this.#blocks) {
      const here = this.#linesOf(block)
      if (to < here.from || from > here.to) continue
      for (const row of rowsOf(element)) {
        const line = numberOf(row)
        if (line >= from && line <= to) row.classList.add('log-marked')
      }
    }
    highlightMatches(this.#sheet, this.#found)
  }
}

const padding_px = 8

function rowsOf(block: HTMLElement): NodeListOf<HTMLElement> {
  return block.querySelectorAll<HTMLElement>('.log-line')
}

function numberOf(row: HTMLElement): number {
  return Number(row.dataset.line)
}
