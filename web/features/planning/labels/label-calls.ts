// What the pages of labels ask of the server, for a project and for a group.
import { invalidate } from '../../../api/cache.ts'
import type { Label } from '../../../api/operations.ts'
import type { Place } from '../../../ui/page-module.ts'

const ofProject = {
  list: 'GET /projects/:id/labels',
  create: 'POST /projects/:id/labels',
  change: 'PUT /projects/:id/labels/:name',
  remove: 'DELETE /projects/:id/labels/:name',
  subscribe: 'POST /projects/:id/labels/:name/subscribe',
  unsubscribe: 'POST /projects/:id/labels/:name/unsubscribe',
} as const
const ofGroup = {
  list: 'GET /groups/:id/labels',
  create: 'POST /groups/:id/labels',
  change: 'PUT /groups/:id/labels/:name',
  remove: 'DELETE /groups/:id/labels/:name',
  subscribe: 'POST /groups/:id/labels/:name/subscribe',
  unsubscribe: 'POST /groups/:id/labels/:name/unsubscribe',
} as const

export const labelRoutesOf = ({ kind }: Place) => (kind === 'group' ? ofGroup : ofProject)

const per_page = 50

/** A project's list has the labels of the groups above it; a group's has those that can be changed there. */
export const labelListInput = ({ id, kind }: Place, { searchParams }: URL) => {
  const search = searchParams.get('search')
  return {
    id,
    with_counts: true,
    include_ancestor_groups: kind === 'project',
    per_page,
    page: Number(searchParams.get('page') ?? 1),
    ...(search ? { search } : {}),
  }
}

/** The server takes an id where it takes a name, and looks for the id first. */
export const labelRouteInput = ({ id }: Place, label: Label) => ({ id, name: String(label.id) })

/** Labels are a part of issues and merge requests as well. */
export function invalidateLabels(): void {
  invalidate('/api/v4/projects/', '/api/v4/groups/')
}
