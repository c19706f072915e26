// Title, description and branches of a merge request. What somebody else saved meanwhile is not overwritten without a
// question.
import { useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import { useProject } from '../../../api/project.ts'
import { CommentBox } from '../../../surfaces/conversation/comment-box.tsx'
import { useDraft } from '../../../surfaces/conversation/drafts.ts'
import { withinProject } from '../../../surfaces/conversation/within.ts'
import { LineDiff } from '../../../surfaces/line-diff/line-diff.tsx'
import { issuables } from '../../../text/issues.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { findBranches } from '../../../ui/combobox/finds.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { changeRequest, type RequestId, type RequestRecord } from './request-calls.ts'

type Texts = { title: string; description: string }
const textsOf = ({ title, description }: { title: string; description: string | null }): Texts => ({
  title,
  description: description ?? '',
})

export function EditRequest({
  of,
  request,
  onClose,
}: {
  of: RequestId
  request: RequestRecord
  onClose: () => void
}) {
  const { data: project } = useProject(of.id)
  // As they were when editing began: the merge request is read again meanwhile.
  const [base, setBase] = useState(() => textsOf(request))
  const [title, setTitle] = useState(base.title)
  const draft = useDraft(`merge_request:${request.id}:description`, base.description)
  const [theirs, setTheirs] = useState<Texts>()
  const end = () => {
    draft.end(base.description)
    onClose()
  }
  return (
    <Dialog isWide title={words.editTitle} onClose={onClose}>
      <Form
        action={theirs ? issuables.saveAnyway : issuables.saveChanges}
        onSubmit={async (values) => {
          const now = textsOf(await call('GET /projects/:id/merge_requests/:merge_request_iid', of))
          if (now.title !== base.title || now.description !== base.description) {
            setBase(now)
            setTheirs(now)
            return
          }
          const target_branch = values.text('target_branch')
          await changeRequest(of, {
            title,
            description: draft.text,
            remove_source_branch: values.has('remove_source_branch'),
            squash: values.has('squash'),
            ...(target_branch && target_branch !== request.target_branch ? { target_branch } : {}),
          })
          end()
        }}
        more={<Button onClick={end}>{theirs ? issuables.discard : ui.cancel}</Button>}
      >
        {theirs ? (
          <section class="stack stack-close" role="alert">
            <h3>{issuables.conflictTitle}</h3>
            <p>{issuables.conflictText}</p>
            <LineDiff
              label={issuables.conflictDiff}
              before={theirs.description}
              after={draft.text}
            />
          </section>
        ) : null}
        <TextField
          label={issuables.titleField}
          name="title"
          required
          maxLength={255}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        <CommentBox
          label={issuables.description}
          name="description"
          isLabelHidden={false}
          within={withinProject(project, of.id)}
          value={draft.text}
          onChange={draft.setText}
          rows={10}
        />
        <Combobox
          label={words.target}
          name="target_branch"
          chosen={{ value: request.target_branch, words: request.target_branch }}
          find={findBranches(of.id)}
        />
        <CheckField
          label={words.removeSource}
          name="remove_source_branch"
          defaultChecked={request.force_remove_source_branch ?? false}
        />
        <CheckField
          label={words.squash}
          hint={words.squashHint}
          name="squash"
          defaultChecked={request.squash}
        />
      </Form>
    </Dialog>
  )
}
