// Checks whether there are broadcasts for the reader; the code that shows them is loaded only then.
import { useEffect } from 'preact/hooks'
import { getOrCreateCacheEntry } from '../api/cache.ts'
import { user } from '../api/session.ts'
import { useApi } from '../api/use-api.ts'
import { currentUrl } from '../ui/navigation.ts'

export const broadcastInput = { dismissed: false, per_page: 100 }
/** The key of the browser's storage that holds the broadcasts, so that the next page shows them without waiting. */
export const broadcastStorageName = 'broadcasts'
const apart_ms = 60_000

/** Asks what is on now when a page is opened, unless that was asked within the last minute. */
export function useHasBroadcasts(): boolean {
  const { data, url, again } = useApi('GET /broadcast_messages', broadcastInput)
  useEffect(() => {
    const { isStale, asked_ms } = getOrCreateCacheEntry(url)
    if (isStale || performance.now() - asked_ms > apart_ms) again()
  }, [currentUrl.value.pathname, user.value?.id])
  useEffect(() => {
    if (data) localStorage.setItem(broadcastStorageName, JSON.stringify(data))
  }, [data])
  return data ? data.length > 0 : (localStorage.getItem(broadcastStorageName) ?? '[]') !== '[]'
}
