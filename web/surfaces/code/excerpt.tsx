// A few lines out of a file, with the numbers they have there.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { escapeHtml, setHtml } from '../html.ts'
import { splitLines } from './code.tsx'
import { measureWidestLine } from './code-renderer.ts'
import { highlightToHtmlLines } from './highlight.ts'
import { languageOf } from './languages.ts'
import { markWordsInHtml } from './line-marks.ts'
import './code.css'

/** `first` is the number of its first line, from 1; `found` is what was searched for, which is marked. */
export function CodeExcerpt({
  text,
  path,
  first,
  found = '',
}: {
  text: string
  path: string
  first: number
  found?: string
}) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const lines = splitLines(text)
    const show = (shown: readonly string[]) => {
      const html = shown.map((line, at) => {
        const marked = markWordsInHtml(line, lines[at] ?? '', found)
        return `<div class="code-line" data-n="${first + at}"><span class="code-text">${marked}\n</span></div>`
      })
      if (element.current) setHtml(element.current, html.join(''))
    }
    element.current?.style.setProperty('--code-columns', String(measureWidestLine(lines)))
    show(lines.map(escapeHtml))
    let isOver = false
    const language = languageOf(path)
    if (language) {
      void highlightToHtmlLines(text, language).then((coloured) => {
        if (!isOver && coloured) show(coloured.slice(0, lines.length))
      })
    }
    return () => {
      isOver = true
    }
  }, [text, path, first, found])
  return (
    // biome-ignore lint/a11y/useSemanticElements: its element is one of forms.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys.
    <div role="group" class="code" tabIndex={0} aria-label={path}>
      <div class="code-lines" ref={element} />
    </div>
  )
}
