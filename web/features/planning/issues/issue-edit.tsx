// Title and description of an issue, changed where they stand. What somebody else saved meanwhile is not overwritten
// without a question.
import { useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import { CommentBox } from '../../../surfaces/conversation/comment-box.tsx'
import { useDraft } from '../../../surfaces/conversation/drafts.ts'
import type { Within } from '../../../surfaces/conversation/within.ts'
import { LineDiff } from '../../../surfaces/line-diff/line-diff.tsx'
import { issuables as words } from '../../../text/issues.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { changeIssue, type IssueId, type IssueRecord } from './issue-calls.ts'

type Texts = { title: string; description: string }
const textsOf = ({ title, description }: { title: string; description: string | null }): Texts => ({
  title,
  description: description ?? '',
})

export function EditIssue({
  issue,
  of,
  within,
  onDone,
}: {
  issue: IssueRecord
  of: IssueId
  within: Within
  onDone: () => void
}) {
  // As they were when editing began: the issue is read again meanwhile.
  const [base, setBase] = useState(() => textsOf(issue))
  const [title, setTitle] = useState(base.title)
  const draft = useDraft(`issue:${issue.id}:description`, base.description)
  const [theirs, setTheirs] = useState<Texts>()
  const end = () => {
    draft.end(base.description)
    onDone()
  }
  return (
    <Form
      action={theirs ? words.saveAnyway : words.saveChanges}
      label={words.editWord}
      onSubmit={async () => {
        const now = textsOf(await call('GET /projects/:id/issues/:issue_iid', of))
        const isChanged = now.title !== base.title || now.description !== base.description
        if (isChanged) {
          setBase(now)
          setTheirs(now)
          return
        }
        await changeIssue(of, { title, description: draft.text })
        end()
      }}
      more={<Button onClick={end}>{theirs ? words.discard : ui.cancel}</Button>}
    >
      {theirs ? (
        <section class="stack stack-close" role="alert">
          <h2>{words.conflictTitle}</h2>
          <p>{words.conflictText}</p>
          <LineDiff label={words.conflictDiff} before={theirs.description} after={draft.text} />
        </section>
      ) : null}
      <TextField
        label={words.titleField}
        name="title"
        required
        maxLength={255}
        value={title}
        onInput={(event) => setTitle(event.currentTarget.value)}
      />
      <CommentBox
        label={words.description}
        name="description"
        isLabelHidden={false}
        within={within}
        value={draft.text}
        onChange={draft.setText}
        rows={12}
        autoFocus
      />
    </Form>
  )
}
