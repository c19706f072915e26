// What the page of an issue asks of the server, and what it makes stale.
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import type { IssuableRoutes } from '../../../surfaces/conversation/issuable.ts'

export type IssueRecord = Answer<'GET /projects/:id/issues/:issue_iid'>
export type IssueId = { id: number; issue_iid: number }
export type IssueChanges = Omit<Input<'PUT /projects/:id/issues/:issue_iid'>, 'id' | 'issue_iid'>

export const issueInput = (of: IssueId) => ({
  ...of,
  render_html: true,
  with_abilities: true,
  with_labels_details: true,
})

/** Has all that is shown of the issue, and the lists it is in, asked for again. */
export function invalidateIssue({ id }: IssueId): void {
  invalidate(`/api/v4/projects/${id}/issues`, '/api/v4/issues', '/api/v4/todos')
}

/** Each throws `Refusal`. */
export async function changeIssue(of: IssueId, changes: IssueChanges): Promise<void> {
  await call('PUT /projects/:id/issues/:issue_iid', { ...of, ...changes })
  invalidateIssue(of)
}

export const issuableOfIssue = (of: IssueId): IssuableRoutes => ({
  base: '/projects/:id/issues/:issue_iid',
  of,
  reload: () => invalidateIssue(of),
})
