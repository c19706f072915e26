// Text that somebody wrote in a markup, as the server has rendered it (docs/api/markdown.md).
import { useLayoutEffect, useRef } from 'preact/hooks'
import { highlightToHtmlLines } from '../code/highlight.ts'
import { languageNamed } from '../code/languages.ts'
import { setHtml } from '../html.ts'
import './prose.css'

/**
 * `html` is the server's, which made it safe. With the id of a project, names of its issues, people and commits become
 * links, as far as the reader sees them: for files, which the server renders once for everybody. `change` is handed the text as
 * elements, before anybody sees them.
 */
export function Prose({
  html,
  linksIn,
  change,
}: {
  html: string
  linksIn?: number
  change?: (element: HTMLElement) => void
}) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    setHtml(current, html)
    change?.(current)
    let isOver = false
    nameCheckboxes(current)
    stayHere(current)
    reachByKeys(current)
    const observer = new ResizeObserver(() => reachByKeys(current))
    observer.observe(current)
    void colourBlocks(current, () => isOver)
    if (linksIn !== undefined) void linkNamesLater(current, linksIn, () => isOver)
    return () => {
      isOver = true
      observer.disconnect()
    }
  }, [html, linksIn])
  return <div class="prose" ref={element} />
}

/** What scrolls sideways is reached by keys; what has once been stays so, for the reader may be there. */
function reachByKeys(element: HTMLElement): void {
  const wide = element.querySelectorAll<HTMLElement | MathMLElement>('pre, table, math')
  for (const block of wide) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0
  }
}

/** A checkbox of a task list is named by its task. */
function nameCheckboxes(element: HTMLElement): void {
  for (const box of element.querySelectorAll<HTMLInputElement>('input[type=checkbox]')) {
    const words = box.parentElement?.textContent?.trim()
    if (words && !box.hasAttribute('aria-label')) box.setAttribute('aria-label', words)
  }
}

/** Links to pages of this server open in this tab, although the server cannot tell them from others. */
function stayHere(element: HTMLElement): void {
  for (const link of element.querySelectorAll('a[target]')) {
    if (link instanceof HTMLAnchorElement && link.origin === location.origin)
      link.removeAttribute('target')
  }
}

/** Names stay text where their links cannot be asked for. */
async function linkNamesLater(
  element: HTMLElement,
  projectId: number,
  isOver: () => boolean,
): Promise<void> {
  try {
    const { linkReferencesInProse } = await import('./link-names.ts')
    if (!isOver()) await linkReferencesInProse(element, projectId, isOver)
  } catch {
    // The text is whole without them.
  }
}

async function colourBlocks(element: HTMLElement, isOver: () => boolean): Promise<void> {
  for (const code of element.querySelectorAll('pre code[class*="language-"]')) {
    const word = /language-([^\s]+)/.exec(code.className)?.[1] ?? ''
    const language = languageNamed(word)
    const lines = language && (await highlightToHtmlLines(code.textContent ?? '', language))
    if (isOver()) return
    if (lines) setHtml(code, lines.join('\n'))
  }
}
