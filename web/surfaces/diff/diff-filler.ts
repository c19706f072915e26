// Puts the changes of files into their places: what is in sight first, the rest in slices, and far beyond only what
// comes near.
import { appendHtml, setHtml } from '../html.ts'
import { chunksOf } from './diff-html.ts'
import { readRows } from './diff-rows.ts'

/** Rows that go in at once: two screens of them. */
const first_rows = 100
/** Up to so many rows all are in the page, so that its own search finds them. */
const whole_rows = 20_000
const slice_ms = 8
const near = '1500px'

type ReadText = (index: number) => Promise<string | undefined>

export class DiffFiller {
  readonly #read: ReadText
  readonly #isWide: boolean
  readonly #places = new Map<number, HTMLElement>()
  readonly #observer: IntersectionObserver
  #rows = 0
  #isOver = false
  #slice = performance.now()

  constructor(read: ReadText, { isWide }: { isWide: boolean }) {
    this.#read = read
    this.#isWide = isWide
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries)
          if (isIntersecting) void this.#fillNear(target as HTMLElement)
      },
      { rootMargin: near },
    )
  }

  /** `index` is the place of a file in the list; its element is filled in time. */
  add(index: number, element: HTMLElement): void {
    this.#places.set(index, element)
  }

  /** Fills in order as far as all is to be in the page, then what comes near. */
  async run(): Promise<void> {
    for (const [index, element] of [...this.#places].sort(([one], [other]) => one - other)) {
      if (this.#isOver) return
      if (this.#rows < whole_rows) await this.fill(index, element)
      else this.#observer.observe(element)
    }
  }

  end(): void {
    this.#isOver = true
    this.#observer.disconnect()
  }

  /** Shows one file, now; `text` where it has been read already. */
  async fill(index: number, element: HTMLElement, text?: string): Promise<void> {
    this.#places.delete(index)
    const diff = text ?? (await this.#read(index).catch(() => undefined))
    if (diff === undefined || this.#isOver) return
    setHtml(element, '')
    const rows = readRows(diff)
    for (const chunk of chunksOf(rows, { isWide: this.#isWide })) {
      appendHtml(element, chunk)
      this.#rows += Math.min(100, rows.length)
      if (this.#rows > first_rows) await this.#breathe()
      if (this.#isOver) return
    }
    element.classList.add('diff-filled')
  }

  async #fillNear(element: HTMLElement): Promise<void> {
    this.#observer.unobserve(element)
    const index = Number(element.dataset.index)
    if (this.#places.has(index)) await this.fill(index, element)
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
