// Title and description of an issue, changed where they stand.
import { call } from '../../../api/call.ts'
import type { TextContext } from '../../../surfaces/conversation/text-context.ts'
import { EditTexts } from '../../../surfaces/issuable/edit-texts.tsx'
import { changeIssue, type IssueId, type IssueRecord } from './issue-calls.ts'

export function EditIssue({
  issue,
  of,
  within,
  onDone,
}: {
  issue: IssueRecord
  of: IssueId
  within: TextContext
  onDone: () => void
}) {
  return (
    <EditTexts
      autoFocus
      stored={issue}
      draftKey={`issue:${issue.id}:description`}
      within={within}
      read={() => call('GET /projects/:id/issues/:issue_iid', of)}
      save={(texts) => changeIssue(of, texts)}
      onDone={onDone}
    />
  )
}
