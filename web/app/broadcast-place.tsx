// Where messages of the administrators are shown: above everything, on every page. It comes after the page: none waits
// for it.
import { useEffect } from 'preact/hooks'
import {
  broadcasts,
  dismissBroadcast,
  matchesTargetPath,
  refreshBroadcasts,
} from '../api/broadcasts.ts'
import { user } from '../api/session.ts'
import { useApi } from '../api/use-api.ts'
import { broadcastPlace } from '../text/admin-places.ts'
import { BroadcastBand, DismissButton } from '../ui/broadcast/broadcast.tsx'
import { currentUrl } from '../ui/navigation.ts'
import { shownPage } from './show.ts'

export function BroadcastPlace() {
  const { pathname } = currentUrl.value
  useEffect(() => void refreshBroadcasts(), [pathname, user.value?.id])
  const now = new Date()
  const all = broadcasts.value.filter(
    ({ target_path, ends_at }) =>
      new Date(ends_at) >= now && matchesTargetPath(target_path, pathname),
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

const memberRoute = {
  project: 'GET /projects/:id/members/all/:user_id',
  group: 'GET /groups/:id/members/all/:user_id',
} as const

/** The role of the reader on the project or group of the page; 0 without one, and where nobody asks. */
function useLevel(isAsked: boolean): number {
  const place = shownPage.value?.at.place
  const id = user.value?.id
  const isOwned = place?.kind === 'project' || place?.kind === 'group'
  const kind = place?.kind === 'group' ? 'group' : 'project'
  const input = isAsked && isOwned && id ? { id: place.id, user_id: id } : undefined
  return useApi(memberRoute[kind], input).data?.access_level ?? 0
}
