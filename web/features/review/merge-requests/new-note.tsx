// A comment that is being written on the changes, and one that waits for the review to be finished.
import { useState } from 'preact/hooks'
import { call, type Input } from '../../../api/call.ts'
import type { DraftNote } from '../../../api/operations.ts'
import { useTextDraft } from '../../../surfaces/conversation/drafts.ts'
import { LazyCommentBox } from '../../../surfaces/conversation/lazy-comment-box.ts'
import type { ThreadContext } from '../../../surfaces/conversation/thread.tsx'
import { useSendWithRefusal } from '../../../surfaces/conversation/use-send.ts'
import { conversation } from '../../../text/conversation.ts'
import { review as words } from '../../../text/review.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { invalidateRequest, type RequestId, type RequestRecord } from './request-calls.ts'

export type NotePosition = NonNullable<
  Input<'POST /projects/:id/merge_requests/:merge_request_iid/discussions'>['position']
>

/** Returns the commits of the newest version, which every position names. */
export function positionShasOf({ diff_refs }: RequestRecord) {
  const { base_sha, head_sha = '', start_sha = '' } = diff_refs ?? {}
  return { base_sha: base_sha ?? start_sha, head_sha, start_sha }
}

/** The box for a comment at `position`, sent at once or kept as a draft of the review. */
export function NewNote({
  of,
  place,
  position,
  title,
  hint,
  draftKey,
  suggestion,
  onClose,
}: {
  of: RequestId
  place: ThreadContext
  position: NotePosition
  title: string
  hint: string
  draftKey: string
  /** Returns the text of a suggestion to begin with, for lines that can be changed. */
  suggestion?: (() => string) | undefined
  onClose: () => void
}) {
  const draft = useTextDraft(`${place.draftKey}:${draftKey}`)
  const send = useSendWithRefusal(async ({ isDraft }: { isDraft: boolean }) => {
    if (draft.text.trim() === '') return
    await (isDraft
      ? call('POST /projects/:id/merge_requests/:merge_request_iid/draft_notes', {
          ...of,
          note: draft.text,
          position,
        })
      : call('POST /projects/:id/merge_requests/:merge_request_iid/discussions', {
          ...of,
          body: draft.text,
          position,
        }))
    invalidateRequest(of)
    draft.end()
    onClose()
  })
  const close = () => {
    draft.end()
    onClose()
  }
  return (
    <section class="thread" aria-label={title}>
      <div class="note stack stack-close">
        <span class="muted">{hint}</span>
        <LazyCommentBox
          label={title}
          within={place.within}
          value={draft.text}
          onChange={draft.setText}
          rows={3}
          autoFocus
          onSubmit={() => send.run({ isDraft: true })}
          onCancel={close}
        />
        {send.refusal ? <RefusalNote refusal={send.refusal} /> : null}
        <div class="row">
          <Button look="primary" isBusy={send.isBusy} onClick={() => send.run({ isDraft: true })}>
            {words.addToReview}
          </Button>
          <Button isBusy={send.isBusy} onClick={() => send.run({ isDraft: false })}>
            {words.addComment}
          </Button>
          {suggestion ? (
            <Button onClick={() => draft.setText(draft.text + suggestion())}>
              {words.suggest}
            </Button>
          ) : null}
          <Button look="quiet" onClick={close}>
            {conversation.cancel}
          </Button>
        </div>
      </div>
    </section>
  )
}

/** A draft of the reader's, which can be changed and deleted. */
export function DraftNoteView({
  of,
  draft,
  place,
}: {
  of: RequestId
  draft: DraftNote
  place: ThreadContext
}) {
  const [text, setText] = useState<string>()
  const one = { ...of, draft_note_id: draft.id }
  const remove = async () => {
    await call(
      'DELETE /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id',
      one,
    )
    invalidateRequest(of)
  }
  const save = useSendWithRefusal(async () => {
    await call('PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id', {
      ...one,
      note: text ?? draft.note,
    })
    invalidateRequest(of)
    setText(undefined)
  })
  return (
    <article class="thread">
      <div class="note">
        <div class="note-head">
          <Chip tone="warning">{words.draftNote}</Chip>
          <span class="grow" />
          <Button look="quiet" onClick={() => setText(draft.note)}>
            {words.editDraft}
          </Button>
          <Button look="quiet" onClick={() => void remove()}>
            {words.deleteDraft}
          </Button>
        </div>
        {text === undefined ? (
          <p class="line-notes-text">{draft.note}</p>
        ) : (
          <div class="stack stack-close">
            <LazyCommentBox
              label={words.editDraft}
              within={place.within}
              value={text}
              onChange={setText}
              onSubmit={() => save.run()}
              onCancel={() => setText(undefined)}
              autoFocus
            />
            {save.refusal ? <RefusalNote refusal={save.refusal} /> : null}
            <div class="row">
              <Button look="primary" isBusy={save.isBusy} onClick={() => save.run()}>
                {words.saveDraft}
              </Button>
              <Button onClick={() => setText(undefined)}>{conversation.cancel}</Button>
            </div>
          </div>
        )}
      </div>
    </article>
  )
}
