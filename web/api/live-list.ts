// Lists of issues and merge requests, of which many may change at once: a list is reloaded soon after the first change, and
// for those that follow, once every few seconds.
import { useEffect } from 'preact/hooks'
import { invalidate, invalidateIfChanged } from './cache.ts'
import { type LiveTopic, subscribeToTopic } from './live.ts'

/** The least time between two reloads of a list. */
const apart_ms = 2_000

/**
 * While the component is on the page, reloads the URLs that begin as `stale` names them when something in the list changes.
 * `isKnown` says whether the page itself has changed all of these issues just now, and has reloaded what that changes.
 */
export function useLiveList(
  topic: LiveTopic | undefined,
  stale: readonly string[],
  isKnown?: (ids: readonly number[]) => boolean,
): void {
  const key = stale.join(' ')
  useEffect(() => {
    if (!topic) return
    const beginnings = key.split(' ')
    let reloaded_ms = Number.NEGATIVE_INFINITY
    let waiting: ReturnType<typeof setTimeout> | undefined
    const reload = () => {
      waiting = undefined
      reloaded_ms = performance.now()
      invalidate(...beginnings)
    }
    const unsubscribe = subscribeToTopic(topic, (isFirst, ids) => {
      if (isFirst) return beginnings.forEach((beginning) => void invalidateIfChanged(beginning))
      if (ids && isKnown?.(ids)) return
      waiting ??= setTimeout(reload, Math.max(0, reloaded_ms + apart_ms - performance.now()))
    })
    return () => {
      clearTimeout(waiting)
      unsubscribe()
    }
  }, [topic, key])
}
