// What the page of an issue asks of the server, and what it makes stale.
import { touch } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import type { Note } from '../../../api/operations.ts'

export type IssueRecord = Answer<'GET /projects/:id/issues/:issue_iid'>
export type IssueId = { id: number; issue_iid: number }
export type IssueChanges = Omit<Input<'PUT /projects/:id/issues/:issue_iid'>, 'id' | 'issue_iid'>

export const issueInput = (of: IssueId) => ({ ...of, render_html: true, with_abilities: true })
export const threadInput = (of: IssueId) => ({ ...of, render_html: true, per_page: 100 })

/** Has all that is shown of the issue, and the lists it is in, asked for again. */
export function touchIssue({ id }: IssueId): void {
  touch(`/api/v4/projects/${id}/issues`, '/api/v4/issues', '/api/v4/todos')
}

/** Each throws `Refusal`. */
export async function changeIssue(of: IssueId, changes: IssueChanges): Promise<void> {
  await call('PUT /projects/:id/issues/:issue_iid', { ...of, ...changes })
  touchIssue(of)
}

export const noteCalls = (of: IssueId) => {
  const done = async (request: Promise<unknown>) => {
    await request
    touchIssue(of)
  }
  return {
    change: ({ id: note_id }: Note, body: string) =>
      done(call('PUT /projects/:id/issues/:issue_iid/notes/:note_id', { ...of, note_id, body })),
    remove: ({ id: note_id }: Note) =>
      done(call('DELETE /projects/:id/issues/:issue_iid/notes/:note_id', { ...of, note_id })),
    react: ({ id: note_id }: Note, name: string) =>
      done(
        call('POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji', {
          ...of,
          note_id,
          name,
        }),
      ),
    takeBack: ({ id: note_id }: Note, { id: award_id }: { id: number }) =>
      done(
        call('DELETE /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id', {
          ...of,
          note_id,
          award_id,
        }),
      ),
    answer: ({ id: discussion_id }: { id: string }, body: string) =>
      done(
        call('POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes', {
          ...of,
          discussion_id,
          body,
        }),
      ),
  }
}
