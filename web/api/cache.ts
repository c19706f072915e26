// What was read before, by URL: shown at once, asked again behind it. What cannot change is never asked again.
import { type ApiResponse, fetchUrl } from './call.ts'
import { Refusal } from './refusal.ts'

/** `version` grows whenever what is shown changes. */
export type CacheEntry<T = unknown> = {
  url: string
  answer: ApiResponse<T> | undefined
  refusal: Refusal | undefined
  /** Set while the server is asked. */
  pending: Promise<void> | undefined
  isStale: boolean
  asked_ms: number
  listeners: Set<() => void>
}

const characters_max = 20 * 1024 * 1024
/** What came so recently is not asked again by a page that is opened. */
const fresh_ms = 2_000

const entries = new Map<string, CacheEntry>()
let characters = 0

/** The entry of a URL, made where there is none; moves it to the end that leaves last. */
export function getOrCreateCacheEntry<T>(url: string): CacheEntry<T> {
  const known = entries.get(url)
  const entry: CacheEntry = known ?? {
    url,
    answer: undefined,
    refusal: undefined,
    pending: undefined,
    isStale: true,
    asked_ms: 0,
    listeners: new Set(),
  }
  entries.delete(url)
  entries.set(url, entry)
  return entry as CacheEntry<T>
}

/** Has the entry true again: asks the server unless that is needless. Never throws. */
export function refreshCacheEntry(entry: CacheEntry): Promise<void> {
  const isFresh = performance.now() - entry.asked_ms < fresh_ms && !entry.isStale
  if (entry.answer && (entry.answer.isFixed || isFresh)) return Promise.resolve()
  entry.pending ??= ask(entry).finally(() => {
    entry.pending = undefined
    // A write came while the server was asked: the answer may be of before.
    if (entry.isStale && !entry.refusal && entry.listeners.size > 0) void refreshCacheEntry(entry)
  })
  return entry.pending
}

async function ask(entry: CacheEntry): Promise<void> {
  entry.isStale = false
  entry.asked_ms = performance.now()
  const before = entry.answer
  try {
    const answer = await fetchUrl(entry.url, { tag: before?.tag ?? null })
    const hadRefusal = entry.refusal !== undefined
    entry.refusal = undefined
    // The page has replaced the data meanwhile, which is newer; another request follows.
    if (entry.isStale && entry.answer !== before) return
    if (answer.status === 304) {
      if (hadRefusal) tell(entry)
      return
    }
    characters += answer.size - (entry.answer?.size ?? 0)
    entry.answer = answer
  } catch (error) {
    entry.refusal =
      error instanceof Refusal
        ? error
        : new Refusal({ status: 0, body: { message: String(error) }, requestId: '' })
    entry.isStale = true
    // What one may no longer see is not shown any more.
    if ([401, 403, 404].includes(entry.refusal.status)) drop(entry)
  }
  tell(entry)
  shrink()
}

function tell(entry: CacheEntry): void {
  for (const listener of [...entry.listeners]) listener()
}

function drop(entry: CacheEntry): void {
  characters -= entry.answer?.size ?? 0
  entry.answer = undefined
}

function shrink(): void {
  for (const [url, entry] of entries) {
    if (characters <= characters_max) return
    if (entry.listeners.size > 0) continue
    drop(entry)
    entries.delete(url)
  }
}

/** What a write has changed: each URL that begins so is asked again, at once where it is on the page. */
export function invalidate(...beginnings: string[]): void {
  for (const [url, entry] of entries) {
    if (!beginnings.some((beginning) => url.startsWith(beginning))) continue
    entry.isStale = true
    if (entry.answer?.isFixed) entry.answer.isFixed = false
    if (entry.listeners.size > 0) void refreshCacheEntry(entry)
  }
}

/**
 * The same where something may have changed since it was read: the record or list itself is asked, and what is below it only
 * if that has changed. By its tag, one that has not costs an answer without a body.
 */
export async function invalidateIfChanged(beginning: string): Promise<void> {
  const read = [...entries.values()].filter(
    ({ url, listeners }) =>
      listeners.size > 0 && (url === beginning || url.startsWith(`${beginning}?`)),
  )
  const before = read.map(({ answer }) => answer)
  const readAgain = async (entry: CacheEntry) => {
    // What is being asked now may be of before the change.
    await entry.pending
    entry.isStale = true
    await refreshCacheEntry(entry)
  }
  await Promise.all(read.map(readAgain))
  // What was read again just now is true.
  if (read.length === 0) invalidate(beginning)
  else if (read.some(({ answer }, at) => answer !== before[at])) invalidate(`${beginning}/`)
}

/** Asks again what is on the page and was asked in vain while the server was away. */
export function refreshEntriesRefusedOffline(): void {
  for (const entry of entries.values()) {
    if (entry.refusal?.isOffline && entry.listeners.size > 0) void refreshCacheEntry(entry)
  }
}

/** Changes what is shown before the server has answered; answers how to take it back. */
export function updateOptimistically<T>(url: string, change: (data: T) => T): () => void {
  const entry = getOrCreateCacheEntry<T>(url)
  const before = entry.answer
  if (!before) return () => {}
  entry.answer = { ...before, data: change(before.data) }
  entry.isStale ||= entry.pending !== undefined
  tell(entry as CacheEntry)
  return () => {
    entry.answer = before
    tell(entry as CacheEntry)
  }
}

/** Puts what a write answered in the place of what was read; it is asked again when a page next wants it. */
export function setCachedData<T>(url: string, data: T): void {
  const entry = getOrCreateCacheEntry<T>(url)
  const { answer } = entry
  entry.answer = {
    status: 200,
    size: answer?.size ?? 1024,
    tag: null,
    isFixed: false,
    isTruncated: false,
    page: { total: null, last: 0, next: null, prev: null },
    data,
  }
  entry.asked_ms = performance.now()
  // A request that is under way may return data from before the write.
  entry.isStale = entry.pending !== undefined
  tell(entry as CacheEntry)
}

/** Forgets everything: somebody signed in or out. */
export function clearCache(): void {
  for (const entry of entries.values()) drop(entry)
  for (const [url, entry] of entries) {
    entry.isStale = true
    if (entry.listeners.size === 0) entries.delete(url)
  }
  characters = 0
}

/** The URLs that the page now shown has read. */
export function listUrlsInUse(): string[] {
  return [...entries.values()].filter(({ listeners }) => listeners.size > 0).map(({ url }) => url)
}
