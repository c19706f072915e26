// The bar at the end of the window while one reviews: drafts that wait to be published together, suggestions that wait
// to be applied together, and how many files are left.
import { useRef, useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import type { DraftNote } from '../../../api/operations.ts'
import { user } from '../../../api/session.ts'
import { useApi } from '../../../api/use-api.ts'
import type { ThreadContext } from '../../../surfaces/conversation/thread.tsx'
import { review as words } from '../../../text/review.ts'
import { Button } from '../../../ui/button/button.tsx'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { RadioField, TextArea } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { approveByForm, PasswordField } from './approve-with-password.tsx'
import { invalidateRequest, type RequestId, type RequestRecord } from './request-calls.ts'
import { applySuggestions, suggestionBatch } from './suggestions.tsx'
import type { Viewed } from './viewed.ts'

export function ReviewBar({
  of,
  request,
  place,
  drafts,
  viewed,
}: {
  of: RequestId
  request: RequestRecord
  place: ThreadContext
  drafts: readonly DraftNote[]
  viewed: Viewed
}) {
  const [isFinishing, setFinishing] = useState(false)
  const mayFinish = place.mayDiscuss && request.state === 'opened'
  const finish = () => setFinishing(true)
  useKeyActions(mayFinish ? [{ name: words.finish, keys: 'a', run: finish }] : [])
  const suggestions = suggestionBatch.value
  const files = Number.parseInt(request.changes_count ?? '0', 10)
  if (!mayFinish && suggestions.length === 0 && !viewed.refusal) return null
  const discard = () =>
    confirmBefore({
      title: words.discardTitle,
      text: words.discardText,
      action: words.discard,
      run: async () => {
        for (const { id: draft_note_id } of drafts) {
          await call(
            'DELETE /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id',
            { ...of, draft_note_id },
          )
        }
        invalidateRequest(of)
      },
    })
  return (
    <section class="changes-bar" aria-label={words.finishTitle}>
      {viewed.refusal ? <RefusalNote refusal={viewed.refusal} /> : null}
      <span>{words.viewedCount(viewed.count, files)}</span>
      <span class="grow" />
      {suggestions.length > 0 ? (
        <Button onClick={() => void applySuggestions({ of, request, place, suggestions })}>
          {words.applyBatch(suggestions.length)}
        </Button>
      ) : null}
      {drafts.length > 0 ? (
        <>
          <span>{words.drafts(drafts.length)}</span>
          <Button look="quiet" onClick={discard}>
            {words.discard}
          </Button>
        </>
      ) : null}
      {mayFinish ? (
        <Button look={drafts.length > 0 ? 'primary' : 'plain'} keys="a" onClick={finish}>
          {words.finish}
        </Button>
      ) : null}
      {isFinishing ? (
        <Finish of={of} request={request} drafts={drafts} onClose={() => setFinishing(false)} />
      ) : null}
    </section>
  )
}

function Finish({
  of,
  request,
  drafts,
  onClose,
}: {
  of: RequestId
  request: RequestRecord
  drafts: readonly DraftNote[]
  onClose: () => void
}) {
  const [verdict, setVerdict] = useState('comment')
  const mayApprove = request.abilities?.change_details ?? false
  const own = user.value?.id
  const { data: approvals } = useApi(
    'GET /projects/:id/merge_requests/:merge_request_iid/approvals',
    of,
  )
  const isApproval = verdict === 'approve'
  // An approval is given once; a review that repeats it publishes its comments and leaves the reviewer's state.
  const isRepeated = isApproval && (approvals?.user_has_approved ?? false)
  const isApproving = isApproval && !isRepeated
  const needsPassword = isApproving && (approvals?.require_password_to_approve ?? false)
  // The comments are published before the approval: a retry after a wrong password must not publish the summary again.
  const publishedSummary = useRef('')
  const isAuthor = request.author.id === own && !request.reviewers.some(({ id }) => id === own)
  return (
    <Dialog title={words.finishTitle} onClose={onClose}>
      <Form
        action={words.submit}
        onSubmit={async (values) => {
          const summary = values.text('summary')
          // Whoever may not approve has no state as a reviewer.
          const reviewer_state = verdict === 'requested_changes' ? verdict : 'reviewed'
          const isNew = summary.trim() !== '' && summary !== publishedSummary.current
          try {
            await call(
              'POST /projects/:id/merge_requests/:merge_request_iid/draft_notes/bulk_publish',
              {
                ...of,
                ...(isNew ? { note: summary } : {}),
                ...(mayApprove && !isRepeated ? { reviewer_state } : {}),
              },
            )
            publishedSummary.current = summary
            if (isApproving) await approveByForm(of, request, values)
          } finally {
            invalidateRequest(of)
          }
          onClose()
          showToast(words.published)
        }}
      >
        <p>{words.drafts(drafts.length)}</p>
        <TextArea label={words.summary} name="summary" />
        <RadioField
          legend={words.finish}
          name="verdict"
          value={verdict}
          onChange={setVerdict}
          options={[
            { value: 'comment', label: words.publishOnly, hint: words.publishHint },
            ...(mayApprove
              ? [{ value: 'approve', label: words.publishAndApprove, hint: words.approveHint }]
              : []),
            ...(mayApprove && !isAuthor
              ? [
                  {
                    value: 'requested_changes',
                    label: words.requestChanges,
                    hint: words.requestChangesHint,
                  },
                ]
              : []),
          ]}
        />
        {needsPassword ? <PasswordField /> : null}
      </Form>
    </Dialog>
  )
}
