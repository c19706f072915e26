// The focus in rows that change by themselves: another person may remove or move the row that has it.
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/**
 * Keeps the focus in the rows of the box when it is drawn anew: where the focused element was moved, on that element; where
 * its row was removed, on the row that is now in its place. `isElsewhere` is asked whether the page is about to focus
 * something itself.
 */
export function useKeepFocusInList(
  box: RefObject<HTMLElement | null>,
  { row, main, isElsewhere }: { row: string; main: string; isElsewhere?: () => boolean },
): void {
  // Read before the page is drawn: an element that is removed loses the focus without an event.
  const { activeElement } = document
  const before = box.current?.contains(activeElement) ? (activeElement as HTMLElement) : undefined
  const at = before ? rowsOf(box, row).findIndex((one) => one.contains(before)) : -1
  useLayoutEffect(() => {
    if (!before || at < 0 || document.activeElement === before || isElsewhere?.()) return
    if (before.isConnected) return before.focus({ preventScroll: true })
    const rows = rowsOf(box, row)
    rows[Math.min(at, rows.length - 1)]
      ?.querySelector<HTMLElement>(main)
      ?.focus({ preventScroll: true })
  })
}

function rowsOf(box: RefObject<HTMLElement | null>, row: string): Element[] {
  return [...(box.current?.querySelectorAll(row) ?? [])]
}
