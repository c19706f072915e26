// A file: numbered lines, one or several of them named by the address (`#L5-9`).
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { currentUrl, replaceUrl } from '../../ui/navigation.ts'
import { type CodeLineRange, CodeRenderer } from './code-renderer.ts'
import { highlightToHtmlLines } from './highlight.ts'
import { languageOf } from './languages.ts'
import './code.css'

/** `noteOf` is HTML that stands before a line, from 1: whoever gives it has escaped it. */
export function Code({
  text,
  path,
  label,
  noteOf,
}: {
  text: string
  path: string
  label: string
  noteOf?: (line: number) => string
}) {
  const element = useRef<HTMLDivElement>(null)
  const view = useRef<CodeRenderer>(undefined)
  const { hash } = currentUrl.value
  useLayoutEffect(() => {
    if (!element.current) return
    const shown = new CodeRenderer(element.current, splitLines(text), noteOf)
    view.current = shown
    shown.show(parseLineRange(hash)?.from ?? 1)
    let isOver = false
    const language = languageOf(path)
    if (language) {
      void highlightToHtmlLines(text, language).then((lines) => {
        if (!isOver && lines) shown.colour(lines)
      })
    }
    return () => {
      isOver = true
      shown.end()
    }
  }, [text, path, noteOf])
  useEffect(() => {
    const range = parseLineRange(hash)
    const first = view.current?.mark(range)
    if (first && !isInSight(first)) first.scrollIntoView({ block: 'center' })
  }, [hash, text])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: `:` of the palette goes to a line.
    <section
      class="code"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys.
      tabIndex={0}
      aria-label={label}
      onClick={choose}
      onPointerDown={({ currentTarget }) => currentTarget.setAttribute('data-pressed', '')}
      onBlur={({ currentTarget }) => currentTarget.removeAttribute('data-pressed')}
    >
      <div class={`code-lines ${noteOf ? 'code-noted' : ''}`} ref={element} />
    </section>
  )
}

/** Lines without the end of the last one; a carriage return at their ends is no text. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return text.includes('\r') ? lines.map((line) => line.replace(/\r$/, '')) : lines
}

/** `#L5`, `#L5-9` and `#L5-L9`. */
export function parseLineRange(hash: string): CodeLineRange | undefined {
  const [, first, last] = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash) ?? []
  if (first === undefined) return undefined
  const [one, other] = [Number(first), Number(last ?? first)]
  return { from: Math.max(1, Math.min(one, other)), to: Math.max(one, other) }
}

/** A press on a number names its line in the address, with Shift all lines up to it. */
function choose(event: MouseEvent): void {
  const line = event.target instanceof Element ? event.target.closest('.code-line') : null
  const text = line?.querySelector('.code-text')
  if (!(line instanceof HTMLElement) || !text) return
  const note = line.querySelector('.code-note')
  const { left } = text.getBoundingClientRect()
  const begin = note?.getBoundingClientRect().right ?? line.getBoundingClientRect().left
  if (event.clientX >= left || event.clientX < begin) return
  const number = Number(line.dataset.n)
  const before = event.shiftKey ? parseLineRange(currentUrl.value.hash) : undefined
  const [from, to] = before
    ? [Math.min(before.from, number), Math.max(before.from, number)]
    : [number, number]
  const { pathname, search } = currentUrl.value
  replaceUrl(`${pathname}${search}#L${from}${from === to ? '' : `-${to}`}`)
}

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}
