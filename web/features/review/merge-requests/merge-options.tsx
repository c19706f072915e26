// How a merge request is merged, where somebody wants it otherwise than by default.
import { useState } from 'preact/hooks'
import { requestDialogs as dialogs } from '../../../text/merge-request-dialogs.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextArea } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import type { MergeInput, RequestRecord } from './request-calls.ts'

export function MergeOptions({
  request,
  onMerge,
  onClose,
}: {
  request: RequestRecord
  onMerge: (given: MergeInput) => Promise<unknown>
  onClose: () => void
}) {
  const [isSquashed, setSquashed] = useState(request.squash)
  return (
    <Dialog title={words.mergeOptions} onClose={onClose}>
      <Form
        action={words.mergeNow}
        onSubmit={(values) => {
          const [message, squashed] = [values.text('message'), values.text('squashed')]
          return onMerge({
            squash: values.has('squash'),
            should_remove_source_branch: values.has('remove'),
            ...(message.trim() ? { merge_commit_message: message } : {}),
            ...(squashed.trim() ? { squash_commit_message: squashed } : {}),
          })
        }}
      >
        <CheckField
          label={words.removeSource}
          name="remove"
          defaultChecked={request.force_remove_source_branch ?? false}
        />
        <CheckField
          label={words.squash}
          hint={words.squashHint}
          name="squash"
          checked={isSquashed}
          onChange={(event) => setSquashed(event.currentTarget.checked)}
        />
        {isSquashed ? (
          <TextArea label={dialogs.squashMessage} hint={dialogs.messageHint} name="squashed" />
        ) : null}
        <TextArea label={dialogs.mergeMessage} hint={dialogs.messageHint} name="message" />
      </Form>
    </Dialog>
  )
}
