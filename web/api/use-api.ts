// What a component reads of the server: shown from the cache at once, kept true while it is on the page.
import { useEffect, useRef, useState } from 'preact/hooks'
import { type CacheEntry, getOrCreateCacheEntry, refreshCacheEntry } from './cache.ts'
import {
  type Answer,
  type ApiResponse,
  fetchUrl,
  type Input,
  type ReadRoute,
  untypedApiUrl,
} from './call.ts'
import type { Refusal } from './refusal.ts'

/** `data` stays while it is asked for again; `again` asks at once. */
export type ApiState<T> = {
  data: T | undefined
  refusal: Refusal | undefined
  page: ApiResponse<T>['page'] | undefined
  isLoading: boolean
  url: string
  again: () => void
}

/** Reads an operation; nothing while `input` is undefined. */
export function useApi<R extends ReadRoute>(
  route: R,
  input: Input<R> | undefined,
): ApiState<Answer<R>> {
  return useApiUrl<Answer<R>>(
    input === undefined ? undefined : untypedApiUrl(route, input as object),
  )
}

/** Reads a URL of the API, as the headers of lists tell them. */
export function useApiUrl<T>(url: string | undefined): ApiState<T> {
  const entry = url === undefined ? undefined : getOrCreateCacheEntry<T>(url)
  const again = useEntries(entry ? [entry as CacheEntry] : [])
  return {
    data: entry?.answer?.data,
    refusal: entry?.refusal,
    page: entry?.answer?.page,
    isLoading: entry !== undefined && !entry.answer && !entry.refusal,
    url: url ?? '',
    again,
  }
}

/** Keeps entries true while the component is on the page, which is drawn again with each; answers how to ask at once. */
function useEntries(entries: readonly CacheEntry[]): () => void {
  const [, draw] = useState(0)
  const drawAgain = () => draw((count) => count + 1)
  const drawn = entries.map(({ answer }) => answer)
  useEffect(() => {
    for (const entry of entries) {
      entry.listeners.add(drawAgain)
      void refreshCacheEntry(entry)
    }
    // What has come between the drawing and now was told to nobody.
    if (entries.some(({ answer }, at) => answer !== drawn[at])) drawAgain()
    return () => {
      for (const entry of entries) entry.listeners.delete(drawAgain)
    }
  }, [entries.map(({ url }) => url).join(' ')])
  return () => {
    for (const entry of entries) {
      entry.isStale = true
      void refreshCacheEntry(entry).then(drawAgain)
    }
    drawAgain()
  }
}

/** More of a list than this is told in pages that one turns. */
const all_pages_max = 20

/**
 * Reads every page of a list, each kept as a read of its own; `input` says how many records a page has. `data` has what
 * has come so far, from the first page on, and is the same until a page of it changes. `page` is that of the last page that
 * was read: it has a next one while the list goes on beyond `pages_max`.
 */
export function useAllPages<R extends ReadRoute>(
  route: R,
  input: Input<R> | undefined,
  pages_max = all_pages_max,
): Pick<ApiState<Answer<R>>, 'data' | 'refusal' | 'page' | 'again'> {
  const chain: CacheEntry<unknown[]>[] = []
  let url = input === undefined ? undefined : untypedApiUrl(route, input as object)
  while (url !== undefined && chain.length < pages_max) {
    const entry: CacheEntry<unknown[]> = getOrCreateCacheEntry<unknown[]>(url)
    chain.push(entry)
    url = entry.answer?.page.next ?? undefined
  }
  const again = useEntries(chain as CacheEntry[])
  const answers = chain.map((entry) => entry.answer?.data)
  const known = useRef<{ answers: typeof answers; data: unknown[] | undefined }>(undefined)
  const isSame =
    known.current?.answers.length === answers.length &&
    known.current.answers.every((answer, at) => answer === answers[at])
  if (!isSame) known.current = { answers, data: answers[0] && answers.flatMap((one) => one ?? []) }
  return {
    data: known.current?.data as Answer<R> | undefined,
    refusal: chain.find(({ refusal }) => refusal)?.refusal,
    page: chain.at(-1)?.answer?.page,
    again,
  }
}

/** What a page wants before it is shown, or sooner: a link that is about to be followed. */
export type ApiReadUrl = string

/** Names a read for `calls` of a page. */
export function apiReadUrl<R extends ReadRoute>(route: R, input: Input<R>): ApiReadUrl {
  return untypedApiUrl(route, input as object)
}

/** Has what is needed in the cache; what is there already is not waited for. */
export async function prefetchUrls(needs: readonly ApiReadUrl[]): Promise<void> {
  await Promise.all(
    needs.map((url) => {
      const entry = getOrCreateCacheEntry(url)
      return entry.answer ? undefined : refreshCacheEntry(entry)
    }),
  )
}

/** Reads once, by the cache: what is there already is answered as it is. Throws `Refusal`. */
export async function readCached<R extends ReadRoute>(
  route: R,
  input: Input<R>,
): Promise<Answer<R>> {
  return readCachedUrl<Answer<R>>(untypedApiUrl(route, input as object))
}

/** The same, of a URL of the API. */
export async function readCachedUrl<T>(url: string): Promise<T> {
  const entry = getOrCreateCacheEntry<T>(url)
  // What a write or an event has made stale is asked again, perhaps already.
  while (entry.pending) await entry.pending
  if (!entry.answer || entry.isStale) await refreshCacheEntry(entry as CacheEntry)
  if (entry.answer) return entry.answer.data
  throw entry.refusal
}

/** Reads every page of a list, `limit` records at most. Throws `Refusal`. */
export async function fetchAllPages<R extends ReadRoute>(
  route: R,
  input: Input<R>,
  limit = 1_000,
): Promise<Answer<R>> {
  const all: unknown[] = []
  let url: string | null = untypedApiUrl(route, { per_page: 100, ...(input as object) })
  while (url !== null && all.length < limit) {
    const answered: ApiResponse<unknown[]> = await fetchUrl<unknown[]>(url)
    all.push(...answered.data)
    url = answered.page.next
  }
  return all as Answer<R>
}
