// The box at the end of a conversation: a comment, an internal note, or a comment that closes what it is on.
import { useState } from 'preact/hooks'
import { commentBox as words } from '../../text/comment-box.ts'
import { conversation } from '../../text/conversation.ts'
import { Button } from '../../ui/button/button.tsx'
import { CheckField } from '../../ui/field/field.tsx'
import { RefusalNote } from '../../ui/refusal/refusal.tsx'
import { CommentBox } from './comment-box.tsx'
import { useTextDraft } from './drafts.ts'
import { RestoredDraft } from './restored-draft.tsx'
import type { TextContext } from './text-context.ts'
import { useSendWithRefusal } from './use-send.ts'

type Sent = { body: string; internal: boolean; withState: boolean }

export function NewComment({
  within,
  draftKey,
  mayWriteInternal,
  stateAction,
  onSend,
}: {
  within: TextContext
  draftKey: string
  mayWriteInternal: boolean
  /** Which way the state may be changed with the comment; undefined for those who may not. */
  stateAction: 'close' | 'reopen' | undefined
  onSend: (comment: Sent) => Promise<unknown>
}) {
  const draft = useTextDraft(draftKey)
  const [internal, setInternal] = useState(false)
  const send = useSendWithRefusal(async ({ withState }: { withState: boolean }) => {
    if (draft.text.trim() === '') return
    await onSend({ body: draft.text, internal, withState })
    draft.end()
    setInternal(false)
  })
  const submit = () => send.run({ withState: false })
  const isEmpty = draft.text.trim() === ''
  return (
    <section class="stack stack-close" aria-label={conversation.comment}>
      <RestoredDraft drafts={[draft]} />
      <CommentBox
        label={conversation.comment}
        within={within}
        value={draft.text}
        onChange={draft.setText}
        onSubmit={submit}
      />
      {mayWriteInternal ? (
        <CheckField
          label={words.internal}
          hint={words.internalHint}
          checked={internal}
          onChange={(event) => setInternal(event.currentTarget.checked)}
        />
      ) : null}
      {send.refusal ? <RefusalNote refusal={send.refusal} /> : null}
      <div class="row">
        <Button look="primary" isBusy={send.isBusy} onClick={submit}>
          {conversation.submit}
        </Button>
        {stateAction && !isEmpty ? (
          <Button isBusy={send.isBusy} onClick={() => send.run({ withState: true })}>
            {stateAction === 'close' ? words.commentAndClose : words.commentAndReopen}
          </Button>
        ) : null}
      </div>
    </section>
  )
}
