// What has changed on the server, as it happens: topics make URLs of the cache stale, which then are asked again.
import { useEffect } from 'preact/hooks'
import { invalidate, invalidateIfChanged } from './cache.ts'
import { reconnect } from './connection.ts'

type Thing = 'issue' | 'job' | 'merge_request' | 'pipeline' | 'project'
type List = `${'group' | 'project'}_${'issues' | 'merge_requests'}`
export type LiveTopic = `${Thing | List}:${number}` | 'user'
/**
 * `isFirst` with the version that a topic has when the page begins to follow it; `ids` of what has changed in a list, unless
 * that may be anything.
 */
type Listener = (isFirst: boolean, ids?: readonly number[]) => void
type News = { topic: LiveTopic; version: string; ids?: readonly number[] }

const listeners = new Map<LiveTopic, Set<Listener>>()
/** The version of each topic as it was heard last. */
const versions = new Map<LiveTopic, string>()
const hidden_ms = 10_000
/** How often running things are asked for where no stream is to be had. */
const poll_ms = 3_000
let source: EventSource | undefined
let opened = ''
let closing: ReturnType<typeof setTimeout> | undefined
let polling: ReturnType<typeof setInterval> | undefined
let settling: ReturnType<typeof setTimeout> | undefined

/**
 * While the component is on the page, asks again for URLs that begin as `stale` names them when the topic has news.
 * `version` is the one that came with the record of the topic, where records have one: what has changed between that answer
 * and the first event is asked for again too.
 */
export function useInvalidateOnChange(
  topic: LiveTopic | undefined,
  stale: readonly string[],
  version?: string,
): void {
  const key = stale.join(' ')
  useEffect(() => {
    if (topic && version !== undefined) setVersion({ topic, version })
  }, [topic, version])
  useEffect(() => {
    if (!topic) return
    const beginnings = key.split(' ')
    // The log of a job grows while its record stays the same.
    const listener: Listener = (isFirst) =>
      isFirst && !topic.startsWith('job:')
        ? beginnings.forEach((beginning) => void invalidateIfChanged(beginning))
        : invalidate(...beginnings)
    return subscribeToTopic(topic, listener)
  }, [topic, key])
}

/** Has the listener called with each version of the topic; returns how to end that. */
export function subscribeToTopic(topic: LiveTopic, listener: Listener): () => void {
  const known = listeners.get(topic) ?? new Set()
  known.add(listener)
  listeners.set(topic, known)
  settle()
  return () => {
    known.delete(listener)
    if (known.size === 0) listeners.delete(topic)
    settle()
  }
}

function settle(): void {
  clearTimeout(settling)
  settling = setTimeout(open, 20)
}

function open(): void {
  const topics = document.hidden ? [] : [...listeners.keys()].sort()
  const url = `/api/v4/events/stream?${topics.map((topic) => `topics[]=${encodeURIComponent(topic)}`).join('&')}`
  if (url === opened && source) return
  close()
  if (topics.length === 0) return
  opened = url
  source = new EventSource(url)
  source.addEventListener('message', ({ data }) => setVersion(JSON.parse(String(data)) as News))
  source.addEventListener('open', endPolling)
  source.addEventListener('error', () => {
    // The first sign that the server is away, on a page that follows something.
    void reconnect()
    // Closed for good: the server refused. What waits to connect again does so by itself.
    if (source?.readyState === EventSource.CLOSED) polling ??= setInterval(tellAll, poll_ms)
  })
}

function close(): void {
  source?.close()
  source = undefined
  opened = ''
  endPolling()
}

function endPolling(): void {
  clearInterval(polling)
  polling = undefined
}

/** Calls the listeners of the topic unless they know the version: a stream that opens again tells those of all its topics. */
function setVersion({ topic, version, ids }: News): void {
  const before = versions.get(topic)
  if (before === version) return
  versions.set(topic, version)
  for (const listener of listeners.get(topic) ?? []) listener(before === undefined, ids)
}

function tellAll(): void {
  for (const known of listeners.values()) for (const listener of known) listener(false)
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(closing)
  if (document.hidden) {
    closing = setTimeout(close, hidden_ms)
    return
  }
  if (source || listeners.size === 0) return
  open()
  tellAll()
})
