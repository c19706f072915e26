// What the pages of a merge request ask of the server, and what they make stale.
import { touch } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import type { Discussion, Note } from '../../../api/operations.ts'
import type { AtPlace } from '../../../ui/page-module.ts'

export type RequestRecord = Answer<'GET /projects/:id/merge_requests/:merge_request_iid'>
export type RequestId = { id: number; merge_request_iid: number }
export type RequestChanges = Omit<
  Input<'PUT /projects/:id/merge_requests/:merge_request_iid'>,
  'id' | 'merge_request_iid'
>

export type MergeInput = Omit<
  Input<'PUT /projects/:id/merge_requests/:merge_request_iid/merge'>,
  'id' | 'merge_request_iid'
>

/** `tab` is what the address says after the number. */
export function readAddress({ place }: AtPlace): { of: RequestId; tab: string } {
  const [iid = '', tab = ''] = (place.rest ?? '').split('/')
  return { of: { id: place.id, merge_request_iid: Number.parseInt(iid, 10) || 0 }, tab }
}

export const requestInput = (of: RequestId) => ({
  ...of,
  render_html: true,
  with_abilities: true,
  include_diverged_commits_count: true,
  include_rebase_in_progress: true,
})
export const threadInput = (of: RequestId) => ({ ...of, render_html: true, per_page: 100 })

/** Has all that is shown of the merge request, and the lists it is in, asked for again. */
export function touchRequest({ id }: RequestId): void {
  touch(`/api/v4/projects/${id}/merge_requests`, '/api/v4/merge_requests', '/api/v4/todos')
}

/** Each throws `Refusal`. */
export async function changeRequest(of: RequestId, changes: RequestChanges): Promise<void> {
  await call('PUT /projects/:id/merge_requests/:merge_request_iid', { ...of, ...changes })
  touchRequest(of)
}

export const noteCalls = (of: RequestId) => {
  const done = async (request: Promise<unknown>) => {
    await request
    touchRequest(of)
  }
  return {
    change: ({ id: note_id }: Note, body: string) =>
      done(
        call('PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
          ...of,
          note_id,
          body,
        }),
      ),
    remove: ({ id: note_id }: Note) =>
      done(
        call('DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
          ...of,
          note_id,
        }),
      ),
    react: ({ id: note_id }: Note, name: string) =>
      done(
        call('POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji', {
          ...of,
          note_id,
          name,
        }),
      ),
    takeBack: ({ id: note_id }: Note, { id: award_id }: { id: number }) =>
      done(
        call(
          'DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id',
          { ...of, note_id, award_id },
        ),
      ),
    answer: ({ id: discussion_id }: Discussion, body: string) =>
      done(
        call(
          'POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes',
          { ...of, discussion_id, body },
        ),
      ),
    resolve: ({ id: discussion_id }: Discussion, resolved: boolean) =>
      done(
        call('PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id', {
          ...of,
          discussion_id,
          resolved,
        }),
      ),
  }
}
