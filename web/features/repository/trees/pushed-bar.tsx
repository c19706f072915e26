// Offers a merge request for the branch that the reader pushed a moment ago.
import { mayInProject, type ProjectRecord } from '../../../api/project.ts'
import { useApi } from '../../../api/use-api.ts'
import { formatRelativeTime } from '../../../text/numbers.ts'
import { repositoryPagesText } from '../../../text/reading.ts'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { repositoryPageUrl } from '../../../ui/project-address.ts'

/** Who pushed longer ago has made a merge request, or does not want one. */
const recent_ms = 2 * 60 * 60 * 1000

export function PushedBar({ project, base }: { project: ProjectRecord; base: string }) {
  const isOffered = mayInProject(project, 'create_merge_requests')
  const { data: events } = useApi(
    'GET /events',
    isOffered
      ? {
          action: 'pushed',
          // Days, of which the last may have begun just now.
          after: new Date(Date.now() - 48 * 60 * 60 * 1000).toISOString().slice(0, 10),
          per_page: 20,
        }
      : undefined,
  )
  const now = new Date()
  const found = events?.find(
    ({ project_id, push_data, created_at }) =>
      project_id === project.id &&
      push_data?.ref_type === 'branch' &&
      push_data.action !== 'removed' &&
      push_data.ref !== project.default_branch &&
      now.getTime() - Date.parse(created_at) < recent_ms,
  )
  const branch = found?.push_data?.ref ?? undefined
  const { data: requests } = useApi(
    'GET /projects/:id/merge_requests',
    branch === undefined ? undefined : { id: project.id, source_branch: branch, per_page: 20 },
  )
  const commit = found?.push_data?.commit_to
  const isRequested = requests?.some(
    (one) =>
      one.state === 'opened' || (one.state === 'merged' && 'sha' in one && one.sha === commit),
  )
  // As a list: a branch that was deleted, as after a merge, is no fault. `$` is the end of a name.
  const { data: named } = useApi(
    'GET /projects/:id/repository/branches',
    branch === undefined || isRequested !== false
      ? undefined
      : { id: project.id, search: `^${branch.replaceAll('$', '*')}$`, per_page: 100 },
  )
  const isThere = named?.some(({ name }) => name === branch)
  if (!found || branch === undefined || !isThere) return null
  return (
    <div class="home-pushed">
      <p>
        {repositoryPagesText.youPushedTo}{' '}
        <a class="mono" href={repositoryPageUrl(base, 'tree', branch)}>
          {branch}
        </a>{' '}
        {formatRelativeTime(new Date(found.created_at), now)}
      </p>
      <ButtonLink
        look="primary"
        href={`${base}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`}
      >
        {repositoryPagesText.createMergeRequest}
      </ButtonLink>
    </div>
  )
}
