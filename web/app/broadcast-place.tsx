// Shows broadcasts of administrators above every page. Loaded after the page, which does not wait for it.
import { signal } from '@preact/signals'
import { invalidate } from '../api/cache.ts'
import { type Answer, call } from '../api/call.ts'
import { user } from '../api/session.ts'
import { useApi } from '../api/use-api.ts'
import { broadcastPlace } from '../text/admin-places.ts'
import { BroadcastBand, DismissButton } from '../ui/broadcast/broadcast.tsx'
import { currentUrl } from '../ui/navigation.ts'
import { broadcastInput, broadcastStorageName } from './broadcasts.ts'
import { shownPage } from './show.ts'

type Broadcast = Answer<'GET /broadcast_messages'>[number]

/**
 * The key under which the browser stores the messages that a visitor has dismissed, since visitors have no
 * account.
 */
const dismissedName = 'broadcasts_dismissed'
const dismissed = signal(readStored<number>(dismissedName))
const kept = readStored<Broadcast>(broadcastStorageName)

function readStored<T>(name: string): readonly T[] {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '[]')
  } catch {
    return []
  }
}

export function BroadcastHost() {
  const { pathname } = currentUrl.value
  const { data } = useApi('GET /broadcast_messages', broadcastInput)
  const now = new Date()
  const all = (data ?? kept).filter(
    ({ id, target_path, ends_at }) =>
      !dismissed.value.includes(id) &&
      new Date(ends_at) >= now &&
      matchesTargetPath(target_path, pathname),
  )
  const level = useLevel(all.some(({ target_access_levels }) => target_access_levels.length > 0))
  const messages = all.filter(
    ({ target_access_levels: levels }) => levels.length === 0 || levels.includes(level),
  )
  if (messages.length === 0) return null
  return (
    <section aria-label={broadcastPlace.label}>
      {messages.map((message) => (
        <BroadcastBand key={message.id} message={message}>
          {message.dismissable ? (
            <DismissButton
              message={message.message}
              onClick={() => void dismissBroadcast(message.id)}
            />
          ) : null}
        </BroadcastBand>
      ))}
    </section>
  )
}

/** Hides a message permanently: for the account, or for visitors in this browser. */
async function dismissBroadcast(id: number): Promise<void> {
  if (user.value) {
    await call('POST /broadcast_messages/:id/dismiss', { id })
    invalidate('/api/v4/broadcast_messages')
    return
  }
  dismissed.value = [...dismissed.value, id]
  localStorage.setItem(dismissedName, JSON.stringify(dismissed.value))
}

/** Whether a broadcast is shown at a path: `*` in its target stands for any characters (docs/api/broadcast-messages.md). */
function matchesTargetPath(target: string | null, path: string): boolean {
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

const memberRoute = {
  project: 'GET /projects/:id/members/all/:user_id',
  group: 'GET /groups/:id/members/all/:user_id',
} as const

/**
 * Returns the reader's access level on the project or group of the page; 0 without one, and if no message
 * depends on it.
 */
function useLevel(isAsked: boolean): number {
  const place = shownPage.value?.at.place
  const id = user.value?.id
  const isOwned = place?.kind === 'project' || place?.kind === 'group'
  const kind = place?.kind === 'group' ? 'group' : 'project'
  const input = isAsked && isOwned && id ? { id: place.id, user_id: id } : undefined
  return useApi(memberRoute[kind], input).data?.access_level ?? 0
}
