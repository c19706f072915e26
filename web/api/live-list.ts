// Lists of issues and merge requests, of which many may change at once: a list is reloaded soon after the first change, and
// for those that follow, once every few seconds.
import { useEffect } from 'preact/hooks'
import { invalidate, invalidateIfChanged } from './cache.ts'
import { type LiveTopic, subscribeToTopic } from './live.ts'

/** The least time between two reloads of a list. */
const apart_ms = 2_000

/**
 * While the component is on the page, reloads the URLs that begin as `stale` names them when something in the list changes.
 * `isOwnChange` returns whether the page itself has just changed all of these issues and reloads their lists. Such an event
 * reloads the list a little later, since another user may have changed the same issue in the meantime.
 */
export function useLiveList(
  topic: LiveTopic | undefined,
  stale: readonly string[],
  isOwnChange?: (ids: readonly number[]) => boolean,
): void {
  const key = stale.join(' ')
  useEffect(() => {
    if (!topic) return
    const beginnings = key.split(' ')
    let reloaded_ms = Number.NEGATIVE_INFINITY
    let due_ms = Number.POSITIVE_INFINITY
    let waiting: ReturnType<typeof setTimeout> | undefined
    const reload = () => {
      due_ms = Number.POSITIVE_INFINITY
      reloaded_ms = performance.now()
      invalidate(...beginnings)
    }
    const reloadAt = (at_ms: number) => {
      if (at_ms >= due_ms) return
      due_ms = at_ms
      clearTimeout(waiting)
      waiting = setTimeout(reload, at_ms - performance.now())
    }
    const unsubscribe = subscribeToTopic(topic, (isFirst, ids) => {
      if (isFirst) return beginnings.forEach((beginning) => void invalidateIfChanged(beginning))
      const isOwn = ids !== undefined && isOwnChange?.(ids) === true
      const now_ms = performance.now()
      reloadAt(Math.max(now_ms, (isOwn ? now_ms : reloaded_ms) + apart_ms))
    })
    // A reload that is due still happens: the next page may show the same URLs.
    return unsubscribe
  }, [topic, key])
}
