// Cards and lists that are dragged by pointer: anywhere on the card or the list's head with a mouse, by the grip with a
// finger, so that the lists can still be scrolled. Nothing is drawn anew until what is dragged is dropped.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export type CardDrop = { card: string; from: string; to: string; index: number }
/** `index` is the list's new place among the lists of the board that can be moved. */
export type ListDrop = { list: string; index: number }

type Drops = {
  onCard: ((drop: CardDrop) => void) | undefined
  onList: ((drop: ListDrop) => void) | undefined
  /** Called when a drag begins, and when it has ended, before what was dropped is handled. */
  onDragging: (isDragging: boolean) => void
}

const begins_px = 6
const edge_px = 48
const step_px = 14

/**
 * Elements with `data-card` are dragged between those with `data-column`, and those with `data-list` by their heads
 * among each other. What has no handler cannot be dragged.
 */
export function useDrag(box: RefObject<HTMLElement | null>, drops: Drops): void {
  const now = useRef(drops)
  now.current = drops
  useEffect(() => {
    const { current } = box
    if (!current) return
    const press = (event: PointerEvent) => {
      const { target, button, pointerType } = event
      if (!(target instanceof Element) || button !== 0) return
      if (target.closest('button, [popover]')) return
      if (pointerType !== 'mouse' && !target.closest('.board-grip')) return
      const card = target.closest<HTMLElement>('[data-card]')
      const list = target.closest('.board-column-head')?.closest<HTMLElement>('[data-list]')
      const { onCard, onList, onDragging } = now.current
      if (card && onCard) dragCard(current, { card, event, onDrop: onCard, onDragging })
      else if (list && onList) dragList(current, { list, event, onDrop: onList, onDragging })
    }
    const refuse = (event: Event) => event.preventDefault()
    current.addEventListener('pointerdown', press)
    // The browser would drag the link itself.
    current.addEventListener('dragstart', refuse)
    return () => {
      current.removeEventListener('pointerdown', press)
      current.removeEventListener('dragstart', refuse)
    }
  }, [])
}

type Begin = { event: PointerEvent; onDragging: Drops['onDragging'] }

function dragCard(
  box: HTMLElement,
  {
    card,
    event,
    onDrop,
    onDragging,
  }: Begin & { card: HTMLElement; onDrop: (drop: CardDrop) => void },
): void {
  follow(box, {
    dragged: card,
    title: card.querySelector('.board-title'),
    event,
    onDragging,
    mark: (at) => markCard(box, card, at),
    onDrop: (at) => {
      const from = card.closest<HTMLElement>('[data-column]')?.dataset.column
      if (from) onDrop({ card: card.dataset.card ?? '', from, ...at })
    },
  })
}

function dragList(
  box: HTMLElement,
  {
    list,
    event,
    onDrop,
    onDragging,
  }: Begin & { list: HTMLElement; onDrop: (drop: ListDrop) => void },
): void {
  follow(box, {
    dragged: list,
    title: list.querySelector('h2'),
    event,
    onDragging,
    mark: (at) => markList(box, list, at),
    onDrop: (index) => onDrop({ list: list.dataset.column ?? '', index }),
  })
}

type Start<At> = {
  dragged: HTMLElement
  title: Element | null
  event: PointerEvent
  onDragging: Drops['onDragging']
  /** Shows where the element would go, and answers where that is. */
  mark: (event: PointerEvent) => At | undefined
  onDrop: (at: At) => void
}

/** Follows the pointer until it is released, or until Escape. */
function follow<At>(box: HTMLElement, start: Start<At>): void {
  const { dragged, event: begin, mark, onDrop, onDragging } = start
  const end = new AbortController()
  const { signal } = end
  let ghost: HTMLElement | undefined
  let at: At | undefined
  const stop = () => {
    end.abort()
    if (ghost) onDragging(false)
    ghost?.remove()
    dragged.classList.remove('board-dragged')
    unmark(box)
  }
  const move = (event: PointerEvent) => {
    const [x, y] = [event.clientX - begin.clientX, event.clientY - begin.clientY]
    if (event.pointerId !== begin.pointerId) return
    if (!ghost && Math.hypot(x, y) < begins_px) return
    if (!ghost) onDragging(true)
    ghost ??= newGhost(box, start)
    ghost.style.translate = `${x}px ${y}px`
    scrollAtEdges(box, event)
    unmark(box)
    at = mark(event)
  }
  const release = (event: PointerEvent) => {
    if (event.pointerId !== begin.pointerId) return
    const isDragged = ghost !== undefined
    stop()
    if (!isDragged) return
    swallowClick()
    if (at !== undefined) onDrop(at)
  }
  addEventListener('pointermove', move, { signal })
  addEventListener('pointerup', release, { signal })
  addEventListener('pointercancel', stop, { signal })
  addEventListener('keydown', ({ key }) => key === 'Escape' && stop(), { signal })
}

function newGhost(
  box: HTMLElement,
  { dragged, title }: Pick<Start<unknown>, 'dragged' | 'title'>,
): HTMLElement {
  const { left, top, width } = dragged.getBoundingClientRect()
  const ghost = document.createElement('div')
  ghost.className = 'board-card board-ghost'
  ghost.setAttribute('aria-hidden', 'true')
  ghost.textContent = title?.textContent ?? ''
  ghost.style.left = `${left}px`
  ghost.style.top = `${top}px`
  ghost.style.inlineSize = `${width}px`
  dragged.classList.add('board-dragged')
  box.append(ghost)
  return ghost
}

function unmark(box: HTMLElement): void {
  for (const marked of box.querySelectorAll<HTMLElement>('[data-drop]')) delete marked.dataset.drop
}

/** Marks where a card would go among the other cards of the list below the pointer. */
function markCard(
  box: HTMLElement,
  dragged: HTMLElement,
  { clientX, clientY }: PointerEvent,
): { to: string; index: number } | undefined {
  const column = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-column]')
  if (!column || !box.contains(column)) return undefined
  const cards = [...column.querySelectorAll<HTMLElement>('[data-card]')]
  const isBefore = ({ top, bottom }: DOMRect) => clientY < (top + bottom) / 2
  const { index, others } = markAmong(cards, dragged, isBefore)
  if (others === 0) column.dataset.drop = 'into'
  return { to: column.dataset.column ?? '', index }
}

/** Marks where a list would go among the other lists that can be moved. */
function markList(box: HTMLElement, dragged: HTMLElement, { clientX }: PointerEvent): number {
  const lists = [...box.querySelectorAll<HTMLElement>('[data-list]')]
  const isBefore = ({ left, right }: DOMRect) => clientX < (left + right) / 2
  return markAmong(lists, dragged, isBefore).index
}

function markAmong(
  all: readonly HTMLElement[],
  dragged: HTMLElement,
  isBefore: (place: DOMRect) => boolean,
): { index: number; others: number } {
  const others = all.filter((one) => one !== dragged)
  const found = others.findIndex((one) => isBefore(one.getBoundingClientRect()))
  const index = found < 0 ? others.length : found
  const [next, last] = [others[index], others.at(-1)]
  if (next) next.dataset.drop = 'before'
  else if (last) last.dataset.drop = 'after'
  return { index, others: others.length }
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
