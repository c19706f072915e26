import { requests as words } from '../../../text/merge-requests.ts'
import { useActions } from '../../../ui/keys.ts'

/** Goes to the next open thread below what is in sight, or the one above it; round at the ends. */
export function goToThread(step: 1 | -1): void {
  const open = [...document.querySelectorAll<HTMLElement>('.thread[data-open]')]
  const tops = open.map((one) => one.getBoundingClientRect().top)
  const now = open.indexOf(document.activeElement?.closest('.thread[data-open]') as HTMLElement)
  const after = step > 0 ? tops.findIndex((top) => top > 80) : tops.findLastIndex((top) => top < -8)
  const at = now >= 0 ? now + step : after
  const next = open[(at + open.length) % open.length] ?? open[0]
  if (!next) return
  next.scrollIntoView({ block: 'center' })
  next.tabIndex = -1
  next.focus({ preventScroll: true })
}

export function ThreadKeys() {
  useActions([
    { name: words.nextThread, keys: 'Shift N', run: () => goToThread(1) },
    { name: words.previousThread, keys: 'Shift P', run: () => goToThread(-1) },
  ])
  return null
}
