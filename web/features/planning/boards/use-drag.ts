// Cards that are dragged by pointer: anywhere on the card with a mouse, by its grip with a finger, so that the lists can
// still be scrolled. Nothing is drawn anew until a card is dropped.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export type Drop = { card: string; from: string; to: string; index: number }

const begins_px = 6
const edge_px = 48
const step_px = 14

/** Elements with `data-card` are dragged between those with `data-column`. */
export function useDrag(
  box: RefObject<HTMLElement | null>,
  onDrop: ((drop: Drop) => void) | undefined,
): void {
  const drop = useRef(onDrop)
  drop.current = onDrop
  const isOn = onDrop !== undefined
  useEffect(() => {
    const { current } = box
    if (!current || !isOn) return
    const press = (event: PointerEvent) => {
      const { target, button, pointerType } = event
      if (!(target instanceof Element) || button !== 0) return
      const card = target.closest<HTMLElement>('[data-card]')
      if (!card || target.closest('button, [popover]')) return
      if (pointerType !== 'mouse' && !target.closest('.board-grip')) return
      follow(current, { card, event, onDrop: (dropped) => drop.current?.(dropped) })
    }
    const refuse = (event: Event) => event.preventDefault()
    current.addEventListener('pointerdown', press)
    // The browser would drag the link itself.
    current.addEventListener('dragstart', refuse)
    return () => {
      current.removeEventListener('pointerdown', press)
      current.removeEventListener('dragstart', refuse)
    }
  }, [isOn])
}

type Start = { card: HTMLElement; event: PointerEvent; onDrop: (drop: Drop) => void }

/** Follows the pointer until it is let go, or until Escape. */
function follow(box: HTMLElement, { card, event: start, onDrop }: Start): void {
  const end = new AbortController()
  const { signal } = end
  let ghost: HTMLElement | undefined
  let at: { to: string; index: number } | undefined
  const stop = () => {
    end.abort()
    ghost?.remove()
    card.classList.remove('board-dragged')
    unmark(box)
  }
  const move = (event: PointerEvent) => {
    const [x, y] = [event.clientX - start.clientX, event.clientY - start.clientY]
    if (event.pointerId !== start.pointerId) return
    if (!ghost && Math.hypot(x, y) < begins_px) return
    ghost ??= newGhost(box, card)
    ghost.style.translate = `${x}px ${y}px`
    scrollAtEdges(box, event)
    at = mark(box, card, event)
  }
  const release = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return
    const isDragged = ghost !== undefined
    stop()
    if (!isDragged) return
    swallowClick()
    const from = card.closest<HTMLElement>('[data-column]')?.dataset.column
    if (at && from) onDrop({ card: card.dataset.card ?? '', from, ...at })
  }
  addEventListener('pointermove', move, { signal })
  addEventListener('pointerup', release, { signal })
  addEventListener('pointercancel', stop, { signal })
  addEventListener('keydown', ({ key }) => key === 'Escape' && stop(), { signal })
}

function newGhost(box: HTMLElement, card: HTMLElement): HTMLElement {
  const { left, top, width } = card.getBoundingClientRect()
  const ghost = document.createElement('div')
  ghost.className = 'board-card board-ghost'
  ghost.setAttribute('aria-hidden', 'true')
  ghost.textContent = card.querySelector('.board-title')?.textContent ?? ''
  ghost.style.left = `${left}px`
  ghost.style.top = `${top}px`
  ghost.style.inlineSize = `${width}px`
  card.classList.add('board-dragged')
  box.append(ghost)
  return ghost
}

function unmark(box: HTMLElement): void {
  for (const marked of box.querySelectorAll<HTMLElement>('[data-drop]')) delete marked.dataset.drop
}

/** Shows where the card would go, and answers where that is. */
function mark(
  box: HTMLElement,
  dragged: HTMLElement,
  { clientX, clientY }: PointerEvent,
): { to: string; index: number } | undefined {
  unmark(box)
  const column = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-column]')
  if (!column || !box.contains(column)) return undefined
  const cards = [...column.querySelectorAll<HTMLElement>('[data-card]')].filter(
    (card) => card !== dragged,
  )
  const found = cards.findIndex((card) => {
    const { top, bottom } = card.getBoundingClientRect()
    return clientY < (top + bottom) / 2
  })
  const index = found < 0 ? cards.length : found
  const [next, last] = [cards[index], cards.at(-1)]
  if (next) next.dataset.drop = 'before'
  else if (last) last.dataset.drop = 'after'
  else column.dataset.drop = 'into'
  return { to: column.dataset.column ?? '', index }
}

function scrollAtEdges(box: HTMLElement, { clientX, clientY }: PointerEvent): void {
  const { left, right } = box.getBoundingClientRect()
  if (clientX > right - edge_px) box.scrollLeft += step_px
  else if (clientX < left + edge_px) box.scrollLeft -= step_px
  const list = document.elementFromPoint(clientX, clientY)?.closest('.board-cards')
  if (!list) return
  const { top, bottom } = list.getBoundingClientRect()
  if (clientY > bottom - edge_px) list.scrollTop += step_px
  else if (clientY < top + edge_px) list.scrollTop -= step_px
}

/** The click that follows a drag is not meant for the link beneath the pointer. */
function swallowClick(): void {
  const end = new AbortController()
  addEventListener(
    'click',
    (event) => {
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true, signal: end.signal },
  )
  setTimeout(() => end.abort(), 0)
}
