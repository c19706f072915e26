// What people said on an issue or merge request and what happened to it, with the box for the next comment.
import type { Discussion } from '../../api/operations.ts'
import { findCachedProject } from '../../api/project.ts'
import { user } from '../../api/session.ts'
import { useAllPages } from '../../api/use-api.ts'
import { conversation as words } from '../../text/conversation.ts'
import { issuables } from '../../text/issues.ts'
import { EmptyState, LoadingRows } from '../../ui/blank/blank.tsx'
import { ButtonLink } from '../../ui/button/button.tsx'
import { currentUrl, signInUrl } from '../../ui/navigation.ts'
import { IssuableActivity } from './activity.tsx'
import { type IssuableRoutes, reactionCalls, useIssuableEvents } from './issuable.ts'
import { LazyNewComment } from './lazy-comment-box.ts'
import { Reactions } from './reactions.tsx'
import type { ThreadContext } from './thread.tsx'

export function Conversation({
  issuable,
  threads,
  place,
  mayWriteInternal,
  isOpen,
  hasWeights = false,
  comment,
  changeState,
}: {
  issuable: IssuableRoutes
  threads: readonly Discussion[] | undefined
  place: ThreadContext
  mayWriteInternal: boolean
  isOpen: boolean
  /** Whether it has a weight, the changes of which are shown too. */
  hasWeights?: boolean
  /** Writes a comment. Throws `Refusal`. */
  comment: (note: { body: string; internal: boolean }) => Promise<unknown>
  /** Closes or reopens it; undefined for those who may not. Throws `Refusal`. */
  changeState: ((state_event: 'close' | 'reopen') => Promise<unknown>) | undefined
}) {
  const events = useIssuableEvents(issuable, hasWeights)
  if (user.value == null) {
    return (
      <EmptyState title={words.signInToRead}>
        <ButtonLink href={signInUrl(currentUrl.value)}>{words.signInToComment}</ButtonLink>
      </EmptyState>
    )
  }
  if (!threads || !events) return <LoadingRows />
  return (
    <>
      <IssuableActivity threads={threads} events={events} place={place} />
      {place.mayDiscuss ? (
        <LazyNewComment
          within={place.within}
          draftKey={place.draftKey}
          mayWriteInternal={mayWriteInternal}
          stateAction={changeState && (isOpen ? 'close' : 'reopen')}
          onSend={async ({ body, internal, withState }) => {
            await comment({ body, internal })
            if (withState) await changeState?.(isOpen ? 'close' : 'reopen')
            issuable.reload()
          }}
        />
      ) : (
        <p class="muted">
          {findCachedProject(issuable.of.id)?.archived ? issuables.archived : words.mayNotComment}
        </p>
      )}
    </>
  )
}

/** Reactions to the issue or merge request itself. */
export function IssuableReactions({
  issuable,
  mayReact,
}: {
  issuable: IssuableRoutes
  mayReact: boolean
}) {
  const { data } = useAllPages(`GET ${issuable.base}/award_emoji`, {
    ...issuable.of,
    per_page: 100,
  })
  return <Reactions awards={data ?? []} calls={mayReact ? reactionCalls(issuable) : undefined} />
}
