// Asking again while something runs that no stream of changes tells of.
import { useEffect, useRef } from 'preact/hooks'

/** Calls `again` so often while `isActive` and somebody sees the tab, and at once when it is seen again. */
export function usePolling(again: () => void, isActive: boolean, every_ms = 3_000): void {
  const latest = useRef(again)
  latest.current = again
  useEffect(() => {
    if (!isActive) return
    const ask = () => latest.current()
    let timer: ReturnType<typeof setInterval> | undefined
    const follow = () => {
      clearInterval(timer)
      if (!document.hidden) timer = setInterval(ask, every_ms)
    }
    const show = () => {
      if (!document.hidden) ask()
      follow()
    }
    follow()
    document.addEventListener('visibilitychange', show)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', show)
    }
  }, [isActive])
}
