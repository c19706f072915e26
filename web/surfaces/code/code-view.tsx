// The code surface as a component: what is marked is in the address.
import { useEffect, useRef } from 'preact/hooks'
import { code } from '../../text/code.ts'
import { here, say } from '../../ui/navigation.ts'
import { linesOf, markLines, showCode } from './code.ts'
import { languageOf } from './languages.ts'

export function CodeView({ text, path }: { text: string; path: string }) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!box.current) return
    const element = box.current
    const shown = showCode(element, { text, language: languageOf(path), lineLabel: code.line })
    const mark = ({ scrolls = true } = {}) => {
      const first = markLines(element, location.hash)
      if (scrolls) first?.scrollIntoView({ block: 'center' })
    }
    // Lines far below are there a moment later.
    mark()
    const later = setTimeout(mark, 300)
    const onHash = () => mark()
    const onClick = (event: MouseEvent) => {
      const number = event.target instanceof Element ? event.target.closest('.code-number') : null
      if (!(number instanceof HTMLElement)) return
      event.preventDefault()
      event.stopPropagation()
      const line = Number(number.dataset.line)
      const before = event.shiftKey ? linesOf(location.hash) : undefined
      const [from, to] = before
        ? [Math.min(before.from, line), Math.max(before.from, line)]
        : [line, line]
      say(`${here.value.pathname}${here.value.search}#L${from}${to > from ? `-${to}` : ''}`)
      mark({ scrolls: false })
    }
    window.addEventListener('hashchange', onHash)
    element.addEventListener('click', onClick)
    return () => {
      clearTimeout(later)
      shown.end()
      window.removeEventListener('hashchange', onHash)
      element.removeEventListener('click', onClick)
    }
  }, [text, path])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys.
    <section class="code" ref={box} tabIndex={0} aria-label={code.region(path)} />
  )
}
