// What the pages of a merge request ask of the server, and what they make stale.
import { invalidate, updateOptimistically } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import type { Discussion } from '../../../api/operations.ts'
import { Refusal } from '../../../api/refusal.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl } from '../../../api/use-api.ts'
import type { IssuableRoutes } from '../../../surfaces/conversation/issuable.ts'
import type { PlaceLocation } from '../../../ui/page-module.ts'

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
export function parseRequestAddress({ place }: PlaceLocation): { of: RequestId; tab: string } {
  const [iid = '', tab = ''] = (place.rest ?? '').split('/')
  return { of: { id: place.id, merge_request_iid: Number.parseInt(iid, 10) || 0 }, tab }
}

export const requestInput = (of: RequestId) => ({
  ...of,
  render_html: true,
  with_abilities: true,
  with_labels_details: true,
  with_changes_requested: true,
  include_diverged_commits_count: true,
  include_rebase_in_progress: true,
})

export const requestUrl = (of: RequestId) =>
  apiReadUrl('GET /projects/:id/merge_requests/:merge_request_iid', requestInput(of))

const discussionsUrl = (of: RequestId) =>
  apiReadUrl('GET /projects/:id/merge_requests/:merge_request_iid/discussions', {
    ...of,
    per_page: 100,
    render_html: true,
  })

/** Has all that is shown of the merge request, and the lists it is in, asked for again. */
export function invalidateRequest({ id }: RequestId): void {
  invalidate(`/api/v4/projects/${id}/merge_requests`, '/api/v4/merge_requests', '/api/v4/todos')
}

/** Each throws `Refusal`. */
export async function saveRequestChanges(of: RequestId, changes: RequestChanges): Promise<void> {
  await call('PUT /projects/:id/merge_requests/:merge_request_iid', { ...of, ...changes })
  invalidateRequest(of)
}

/** Whether the server refused an approval because of a setting of the project or a wrong password. */
export const isUnauthorized = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.status === 401

export async function approveRequest(
  of: RequestId,
  { sha }: RequestRecord,
  approval_password?: string,
): Promise<void> {
  await call('POST /projects/:id/merge_requests/:merge_request_iid/approve', {
    ...of,
    ...(sha ? { sha } : {}),
    ...(approval_password ? { approval_password } : {}),
  })
  invalidateRequest(of)
}

/** Shown at once, and taken back if it is refused. Throws `Refusal`. */
export async function saveThreadResolved(
  of: RequestId,
  { id: discussion_id }: Discussion,
  resolved: boolean,
): Promise<void> {
  const route = 'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id'
  const takeBack = updateOptimistically<Discussion[]>(discussionsUrl(of), (threads) =>
    threads.map((thread) =>
      thread.id === discussion_id
        ? {
            ...thread,
            notes: thread.notes.map((note) => ({ ...note, resolved, resolved_by: user.value })),
          }
        : thread,
    ),
  )
  try {
    await call(route, { ...of, discussion_id, resolved })
  } catch (error) {
    takeBack()
    throw error
  }
  // By the version that its record has now, the page reads again what else has changed.
  invalidate(requestUrl(of))
}

export const issuableOfRequest = (of: RequestId): IssuableRoutes => ({
  base: '/projects/:id/merge_requests/:merge_request_iid',
  of,
  reload: () => invalidateRequest(of),
})
