// The box at the end of a conversation: a comment, an internal note, or a comment that closes what it is on.
import { useState } from 'preact/hooks'
import { user } from '../../api/session.ts'
import { conversation as words } from '../../text/conversation.ts'
import { Button, ButtonLink } from '../../ui/button/button.tsx'
import { CheckField } from '../../ui/field/field.tsx'
import { currentUrl, signInUrl } from '../../ui/navigation.ts'
import { RefusalNote } from '../../ui/refusal/refusal.tsx'
import { useDraft } from './drafts.ts'
import { LazyCommentBox } from './lazy-comment-box.ts'
import { useSend } from './note.tsx'
import type { TextContext } from './text-context.ts'

type Sent = { body: string; internal: boolean; withState: boolean }

export function NewComment({
  within,
  draftKey,
  mayDiscuss,
  mayWriteInternal,
  stateAction,
  onSend,
}: {
  within: TextContext
  draftKey: string
  mayDiscuss: boolean
  mayWriteInternal: boolean
  /** What the second button says, where the state may be changed with the comment. */
  stateAction: string | undefined
  onSend: (comment: Sent) => Promise<unknown>
}) {
  const draft = useDraft(draftKey)
  const [internal, setInternal] = useState(false)
  const send = useSend(async ({ withState }: { withState: boolean }) => {
    if (draft.text.trim() === '') return
    await onSend({ body: draft.text, internal, withState })
    draft.end()
    setInternal(false)
  })
  if (!mayDiscuss) {
    return user.value ? (
      <p class="muted">{words.mayNotComment}</p>
    ) : (
      <div class="row">
        <ButtonLink href={signInUrl(currentUrl.value)}>{words.signInToComment}</ButtonLink>
      </div>
    )
  }
  const submit = () => send.run({ withState: false })
  const isEmpty = draft.text.trim() === ''
  return (
    <section class="stack stack-close" aria-label={words.comment}>
      {draft.isRestored ? (
        <p class="row muted">
          {words.draftRestored}
          <Button look="quiet" onClick={() => draft.end()}>
            {words.discardDraft}
          </Button>
        </p>
      ) : null}
      <LazyCommentBox
        label={words.comment}
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
          {words.submit}
        </Button>
        {stateAction && !isEmpty ? (
          <Button isBusy={send.isBusy} onClick={() => send.run({ withState: true })}>
            {stateAction}
          </Button>
        ) : null}
      </div>
    </section>
  )
}
