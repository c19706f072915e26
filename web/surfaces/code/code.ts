// A text in lines with numbers: all of it in the page, so that find, selection and screen readers work. The first
// screens are there at once, the rest in slices, and colours follow without a shift.
import { appendHtml, escapeHtml, setHtml } from '../html.ts'
import { inSlices } from '../slices.ts'
import { highlight } from './highlight.ts'
import './code.css'

const block_lines = 100
const first_blocks = 2
/** Beyond, a block is a box of its height until it is near. */
const whole_lines_max = 20_000

export type Shown = { lines: number; end: () => void }

/** Puts the text into the element; `path` says the language. */
export function showCode(
  element: HTMLElement,
  {
    text,
    language,
    lineLabel,
  }: { text: string; language: string | undefined; lineLabel: (line: number) => string },
): Shown {
  const lines = splitLines(text)
  const work = new AbortController()
  const htmlOf = (from: number, coloured?: readonly string[]) =>
    blockHtml(lines, { from, lineLabel, ...(coloured ? { coloured } : {}) })
  const starts = Array.from(
    { length: Math.ceil(lines.length / block_lines) },
    (_, at) => at * block_lines,
  )
  const near = lines.length > whole_lines_max ? starts.slice(first_blocks) : []
  setHtml(
    element,
    starts
      .slice(0, first_blocks)
      .map((from) => htmlOf(from))
      .join(''),
  )
  const colours = highlight(text, language)
  const rest = near.length > 0 ? [] : starts.slice(first_blocks)
  const add = inSlices(
    rest.map((from) => () => appendHtml(element, htmlOf(from))),
    work.signal,
  )
  if (near.length > 0)
    fillWhenNear(element, near, { lines: lines.length, htmlOf, signal: work.signal })
  void Promise.all([colours, add]).then(([coloured]) => {
    if (coloured.length === 0 || near.length > 0) return
    const blocks = [...element.children]
    void inSlices(
      blocks.map((block, at) => () => colour(block, coloured, at * block_lines)),
      work.signal,
    )
  })
  return { lines: lines.length, end: () => work.abort() }
}

/** A last line feed ends the last line, and begins none. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '' && lines.length > 1) lines.pop()
  return lines
}

function blockHtml(
  lines: readonly string[],
  {
    from,
    lineLabel,
    coloured,
  }: { from: number; lineLabel: (line: number) => string; coloured?: readonly string[] },
): string {
  const rows = lines.slice(from, from + block_lines).map((line, at) => {
    const number = from + at + 1
    const html = coloured?.[from + at] ?? escapeHtml(line)
    return `<div class="code-line" id="L${number}"><a class="code-number" href="#L${number}" tabindex="-1" data-line="${number}" aria-label="${escapeHtml(lineLabel(number))}"></a><span class="code-text">${html}\n</span></div>`
  })
  return `<div class="code-block">${rows.join('')}</div>`
}

function colour(block: Element, coloured: readonly string[], from: number): void {
  let at = from
  for (const row of block.children) {
    const text = row.lastElementChild
    const html = coloured[at]
    if (text && html !== undefined) setHtml(text, `${html}\n`)
    at += 1
  }
}

function fillWhenNear(
  element: HTMLElement,
  starts: readonly number[],
  given: { lines: number; htmlOf: (from: number) => string; signal: AbortSignal },
): void {
  const watch = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (!isIntersecting || !(target instanceof HTMLElement)) continue
        watch.unobserve(target)
        const made = document.createElement('div')
        setHtml(made, given.htmlOf(Number(target.dataset.from)))
        target.replaceWith(...made.children)
      }
    },
    { rootMargin: '1500px' },
  )
  for (const from of starts) {
    const box = document.createElement('div')
    box.className = 'code-block'
    box.dataset.from = String(from)
    box.style.blockSize = `calc(var(--code-line) * ${Math.min(block_lines, given.lines - from)})`
    element.append(box)
    watch.observe(box)
  }
  given.signal.addEventListener('abort', () => watch.disconnect())
}

/** The lines an address names: `#L5`, `#L5-9`. */
export function linesOf(hash: string): { from: number; to: number } | undefined {
  const [, one = '', other = one] = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash) ?? []
  if (one === '') return undefined
  const [a, b] = [Number(one), Number(other)]
  return { from: Math.min(a, b), to: Math.max(a, b) }
}

/** Marks the lines an address names, and answers the first of them. */
export function markLines(element: HTMLElement, hash: string): HTMLElement | undefined {
  for (const marked of element.querySelectorAll('.code-marked'))
    marked.classList.remove('code-marked')
  const lines = linesOf(hash)
  if (!lines) return undefined
  for (let line = lines.from; line <= Math.min(lines.to, lines.from + 5_000); line += 1) {
    element.querySelector(`#L${line}`)?.classList.add('code-marked')
  }
  return element.querySelector<HTMLElement>(`#L${lines.from}`) ?? undefined
}
