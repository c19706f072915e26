import { projects } from '../../text/projects.ts'
import { Chip } from '../chip/chip.tsx'
import { ListRow } from '../list/list.tsx'
import { Time } from '../time/time.tsx'
import './project-row.css'

/** What a list tells of a project; short records tell less. */
export type ListedProject = {
  id: number
  path_with_namespace: string
  name_with_namespace: string
  description: string | null
  star_count: number
  last_activity_at: string
  topics: readonly string[]
  visibility?: string
  archived?: boolean
}

/** The page of the project has all of them. */
const topics_max = 5

export function ProjectRow({ project }: { project: ListedProject }) {
  const { path_with_namespace, visibility } = project
  return (
    <ListRow
      aside={
        <>
          {visibility ? <Chip>{projects.visibility[visibility as 'public']}</Chip> : null}
          {project.archived ? <Chip tone="warning">{projects.archived}</Chip> : null}
          <span>{projects.stars(project.star_count)}</span>
          <Time at={project.last_activity_at} />
        </>
      }
    >
      <a data-main href={`/${path_with_namespace}`}>
        {project.name_with_namespace}
      </a>
      {project.description ? <p class="muted one-line">{project.description}</p> : null}
      {project.topics.length > 0 ? (
        <ul class="row project-row-topics" aria-label={projects.topics}>
          {project.topics.slice(0, topics_max).map((topic) => (
            <li key={topic}>
              <a class="chip" href={`/explore/projects?topic=${encodeURIComponent(topic)}`}>
                {topic}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </ListRow>
  )
}
