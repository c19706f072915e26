// What administrators tell everybody now. Kept in the browser, so that the next page has it from its first paint.
import { signal } from '@preact/signals'
import { type Answer, call } from './call.ts'
import { Refusal } from './refusal.ts'
import { user } from './session.ts'

export type Broadcast = Answer<'GET /broadcast_messages'>[number]

const kept = 'broadcasts'
/** Of visitors, whom the server does not know. */
const dismissed = 'broadcasts_dismissed'
const apart_ms = 60_000
let asked_ms = Number.NEGATIVE_INFINITY
/** The account it was asked for; what is dismissed is dismissed by one. */
let askedFor: number | undefined

export const broadcasts = signal<readonly Broadcast[]>(readStored<Broadcast>(kept))

function readStored<T>(name: string): readonly T[] {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '[]')
  } catch {
    return []
  }
}

function keep(messages: readonly Broadcast[]): void {
  const hidden = readStored<number>(dismissed)
  broadcasts.value = messages.filter(({ id }) => !hidden.includes(id))
  localStorage.setItem(kept, JSON.stringify(broadcasts.value))
}

/** Asks what is on now, unless that was asked for this reader within the last minute; `isDue` asks at once. */
export async function refreshBroadcasts({ isDue = false } = {}): Promise<void> {
  const isSameReader = askedFor === user.value?.id
  if (!isDue && isSameReader && performance.now() - asked_ms < apart_ms) return
  asked_ms = performance.now()
  askedFor = user.value?.id
  try {
    keep(await call('GET /broadcast_messages', { dismissed: false, per_page: 100 }))
  } catch (error) {
    // No page is worse for it: what was known stays.
    if (!(error instanceof Refusal)) throw error
  }
}

/** Hides a message permanently: for the account, or in this browser where nobody is signed in. */
export async function dismissBroadcast(id: number): Promise<void> {
  if (user.value) await call('POST /broadcast_messages/:id/dismiss', { id })
  else localStorage.setItem(dismissed, JSON.stringify([...readStored<number>(dismissed), id]))
  keep(broadcasts.value.filter((message) => message.id !== id))
}

/** Whether a target is shown at a path: `*` stands for any run of characters (docs/api/broadcast-messages.md). */
export function matchesTargetPath(target: string | null, path: string): boolean {
  if (!target) return true
  const [first = '', ...rest] = target.toLowerCase().split('*')
  const text = path.toLowerCase()
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || text.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.endsWith(last) && at <= text.length - last.length
}
