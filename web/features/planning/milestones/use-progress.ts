import type { BasicIssue, Milestone } from '../../../api/operations.ts'
import { useAllPages, useApi } from '../../../api/use-api.ts'
import type { Place } from '../../../ui/page-module.ts'

export type Progress = { closed: number; all: number }

/**
 * How many issues of a milestone are closed. The server counts those of a project; those of a group are counted here,
 * because its statistics have issues of subgroups too, which its milestones do not list.
 */
export function useProgress({ kind, id }: Place, milestone: Milestone): Progress | undefined {
  const isProject = kind === 'project'
  const { data: counted } = useApi(
    'GET /projects/:id/issues_statistics',
    isProject ? { id, milestone: milestone.title } : undefined,
  )
  const { data: issues } = useAllPages(
    'GET /groups/:id/milestones/:milestone_id/issues',
    isProject ? undefined : { id, milestone_id: milestone.id, per_page: 100 },
  )
  const { counts } = (counted?.statistics ?? {}) as { counts?: Progress }
  return isProject ? counts : issues && progressOf(issues)
}

function progressOf(issues: readonly BasicIssue[]): Progress {
  return { all: issues.length, closed: issues.filter(({ state }) => state === 'closed').length }
}
