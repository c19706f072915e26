// What a reviewer did last, beside their name, and how to ask them once more.
import { call } from '../../../api/call.ts'
import type { BasicUser } from '../../../api/operations.ts'
import { useApi } from '../../../api/use-api.ts'
import { reviewers as words } from '../../../text/reviewers.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { invalidateRequest, type RequestId } from './request-calls.ts'

/** Of each state, the status that it looks like. */
const looks: Readonly<Record<string, string>> = {
  unreviewed: 'created',
  review_started: 'running',
  reviewed: 'closed',
  requested_changes: 'warning',
  approved: 'passed',
  unapproved: 'canceled',
}
const unfinished = /^(?:unreviewed|review_started)$/

export function ReviewerState({
  of,
  reviewer,
  mayChange,
}: {
  of: RequestId
  reviewer: BasicUser
  /** Whether the reader may choose reviewers. */
  mayChange: boolean
}) {
  // The same read as that of the bar above, which says who requests changes.
  const { data } = useApi('GET /projects/:id/merge_requests/:merge_request_iid/reviewers', {
    ...of,
    per_page: 100,
  })
  const state = data?.find(({ user }) => user.id === reviewer.id)?.state
  if (!state) return null
  const { name, username } = reviewer
  const askAgain = async (button: HTMLButtonElement) => {
    // The button goes away with the state.
    button.parentElement?.querySelector('a')?.focus()
    await call('POST /projects/:id/merge_requests/:merge_request_iid/notes', {
      ...of,
      body: `/request_review @${username}`,
    })
    showToast(words.requested(name))
    invalidateRequest(of)
  }
  return (
    <>
      <Status isQuiet status={looks[state] ?? state} words={words.states[state] ?? state} />
      {mayChange && !unfinished.test(state) ? (
        <Button
          look="quiet"
          aria-label={words.requestAgainFrom(name)}
          onClick={(event) => askAgain(event.currentTarget)}
        >
          {words.requestAgain}
        </Button>
      ) : null}
    </>
  )
}
