import { type ProjectRecord, setStarred } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { formatCount } from '../../../text/numbers.ts'
import { projects } from '../../../text/projects.ts'
import { Button } from '../../../ui/button/button.tsx'

/** The star of a project, shown at once and taken back if it is refused; beside it, how many there are. */
export function StarButton({ project, base }: { project: ProjectRecord; base: string }) {
  const me = user.value
  const isStarred = project.starred ?? false
  const total = (
    <a class="button button-quiet" href={`${base}/-/starrers`}>
      {projects.stars(project.star_count)}
    </a>
  )
  if (!me) return total
  return (
    <>
      {total}
      <Button aria-pressed={isStarred} onClick={() => void setStarred(project, !isStarred)}>
        <span aria-hidden="true">{isStarred ? '★' : '☆'}</span>{' '}
        {isStarred ? projects.starred : projects.star}
        <span class="only-spoken"> {formatCount(project.star_count)}</span>
      </Button>
    </>
  )
}
