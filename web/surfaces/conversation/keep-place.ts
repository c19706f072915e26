// Keeps the field that somebody writes in where it is in the window, while others change what is above it.

/** What stays in place, and where it was when that was last looked at. */
type Kept = { element: Element; top_px: number; scrolled_px: number }

/** The boxes of the page, each with whether something is written in it. */
const boxes = new Map<HTMLElement, () => boolean>()
let kept: Kept | undefined

const isInWindow = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

/** The box that has the focus, what else of a conversation has it, or a box with a text; undefined if none is in the window. */
function findPlace(): Element | undefined {
  const focused = document.activeElement
  const all = [...boxes.keys()].filter(isInWindow)
  // The buttons that send a text are beside its box.
  const own = all.find((box) => box.parentElement?.contains(focused))
  if (own) return own
  if (focused?.closest('.activity, .line-notes') && isInWindow(focused)) return focused
  return all.find((box) => boxes.get(box)?.())
}

const topInPage = (element: Element) => element.getBoundingClientRect().top + scrollY

/** Scrolls as far as what is kept has moved within the page, and looks what is to be kept from now on. */
function restorePlace(): void {
  if (kept?.element.isConnected) {
    const moved_px = topInPage(kept.element) - kept.top_px
    const { scrollHeight, clientHeight } = document.documentElement
    // The browser scrolls back by itself where a page becomes shorter than it was scrolled.
    const isCut = scrollY < kept.scrolled_px && scrollY >= scrollHeight - clientHeight - 1
    const from_px = isCut ? kept.scrolled_px : scrollY
    if (Math.abs(moved_px) >= 1) scrollTo({ top: from_px + moved_px, behavior: 'instant' })
  }
  const element = findPlace()
  // What the browser keeps in place by itself is at the top of the window, which is above what has come.
  document.documentElement.style.overflowAnchor = element ? 'none' : ''
  kept = element && { element, top_px: topInPage(element), scrolled_px: scrollY }
}

/** Each may come between a change of the page and what the observer says of it. */
const causes = ['focusin', 'focusout', 'input', 'scroll'] as const

/**
 * Keeps a comment box where it is in the window while what is above it changes: as long as it has the focus, or `hasText`
 * says that something is written in it. Returns the function that ends this.
 */
export function keepPositionInWindow(box: HTMLElement, hasText: () => boolean): () => void {
  if (boxes.size === 0) {
    for (const cause of causes) document.addEventListener(cause, restorePlace, { passive: true })
  }
  boxes.set(box, hasText)
  const sizes = new ResizeObserver(restorePlace)
  // Whatever moves the box within the page changes the size of something that it is in, or of something before it.
  for (let one: Element | null = box; one && one !== document.body; one = one.parentElement) {
    for (let other: Element | null = one; other; other = other.previousElementSibling)
      sizes.observe(other)
  }
  restorePlace()
  return () => {
    sizes.disconnect()
    boxes.delete(box)
    if (boxes.size === 0) {
      for (const cause of causes) document.removeEventListener(cause, restorePlace)
    }
    restorePlace()
  }
}
