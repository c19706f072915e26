// The field that changes a comment.
import { useState } from 'preact/hooks'
import type { Note } from '../../api/operations.ts'
import { conversation as words } from '../../text/conversation.ts'
import { Button } from '../../ui/button/button.tsx'
import { RefusalNote } from '../../ui/refusal/refusal.tsx'
import { CommentBox } from './comment-box.tsx'
import type { TextContext } from './text-context.ts'
import { useSendWithRefusal } from './use-send.ts'

export function NoteEditor({
  note,
  within,
  onSave,
  onCancel,
}: {
  note: Note
  within: TextContext
  onSave: (text: string) => Promise<unknown>
  onCancel: () => void
}) {
  const [text, setText] = useState(note.body)
  const { isBusy, refusal, run } = useSendWithRefusal(() => onSave(text))
  return (
    <div class="stack stack-close">
      <CommentBox
        label={words.edit}
        within={within}
        value={text}
        onChange={setText}
        onSubmit={run}
        onCancel={onCancel}
        autoFocus
      />
      {refusal ? <RefusalNote refusal={refusal} /> : null}
      <div class="row">
        <Button look="primary" isBusy={isBusy} onClick={() => run()}>
          {words.saveComment}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </div>
  )
}
