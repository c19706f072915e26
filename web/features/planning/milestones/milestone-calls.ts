// What the pages of milestones ask of the server, for a project and for a group.
import { invalidate } from '../../../api/cache.ts'
import type { Place } from '../../../ui/page-module.ts'

const ofProject = {
  list: 'GET /projects/:id/milestones',
  one: 'GET /projects/:id/milestones/:milestone_id',
  create: 'POST /projects/:id/milestones',
  change: 'PUT /projects/:id/milestones/:milestone_id',
  remove: 'DELETE /projects/:id/milestones/:milestone_id',
  issues: 'GET /projects/:id/milestones/:milestone_id/issues',
  requests: 'GET /projects/:id/milestones/:milestone_id/merge_requests',
  burndown: 'GET /projects/:id/milestones/:milestone_id/burndown_events',
} as const
const ofGroup = {
  list: 'GET /groups/:id/milestones',
  one: 'GET /groups/:id/milestones/:milestone_id',
  create: 'POST /groups/:id/milestones',
  change: 'PUT /groups/:id/milestones/:milestone_id',
  remove: 'DELETE /groups/:id/milestones/:milestone_id',
  issues: 'GET /groups/:id/milestones/:milestone_id/issues',
  requests: 'GET /groups/:id/milestones/:milestone_id/merge_requests',
  burndown: 'GET /groups/:id/milestones/:milestone_id/burndown_events',
} as const

export const milestoneRoutesOf = ({ kind }: Place) => (kind === 'group' ? ofGroup : ofProject)

/** The milestone that an address names by its number in the project or the group. */
export const milestoneByIidInput = ({ id, rest }: Place) => ({
  id,
  iids: [Number(/^\d{1,9}/.exec(rest ?? '')?.[0] ?? 0)],
})

/** Milestones are a part of issues and merge requests as well. */
export function invalidateMilestones(): void {
  invalidate('/api/v4/projects/', '/api/v4/groups/')
}
