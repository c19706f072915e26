// HTML that the server made of prose (docs/api/markdown.md), with colours for its code.
import { useEffect, useRef } from 'preact/hooks'
import { highlight } from '../code/highlight.ts'
import { languageOf } from '../code/languages.ts'
import { setHtml } from '../html.ts'
import '../code/code.css'
import './prose.css'

export function Prose({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!box.current) return
    setHtml(box.current, html)
    makeReachable(box.current)
    void colourCode(box.current)
  }, [html])
  return <div class="prose" ref={box} />
}

/** What scrolls sideways can be reached by keys; headings of prose stand below those of the page. */
function makeReachable(element: Element): void {
  for (const block of element.querySelectorAll<HTMLElement>('pre, table')) block.tabIndex = 0
  for (const box of element.querySelectorAll<HTMLInputElement>('input[type=checkbox]')) {
    box.disabled = true
    box.ariaLabel ??= box.closest('li')?.textContent?.trim() ?? ''
  }
}

async function colourCode(element: Element): Promise<void> {
  for (const block of element.querySelectorAll<HTMLElement>(
    'pre code[class*=language-], pre[lang] code',
  )) {
    const named = /language-([\w+-]+)/.exec(block.className)?.[1] ?? block.parentElement?.lang ?? ''
    const lines = await highlight(block.textContent ?? '', languageOf(`x.${named}`) ?? named)
    if (lines.length > 0) setHtml(block, lines.join('\n'))
  }
}
