// Projects in rows, as several pages list them.
import type { Answer } from '../../api/call.ts'
import { projects } from '../../text/projects.ts'
import { Avatar } from '../avatar/avatar.tsx'
import { Chip } from '../chip/chip.tsx'
import { List, Row } from '../list/list.tsx'
import { Time } from '../time/time.tsx'

type Project = Answer<'GET /projects'>[number]

export function ProjectRows({ list, label }: { list: readonly Project[]; label: string }) {
  return (
    <List label={label}>
      {list.map((project) => (
        <Row
          key={project.id}
          aside={
            <>
              {'visibility' in project ? (
                <Chip>{projects.visibility[project.visibility as 'public']}</Chip>
              ) : null}
              {'archived' in project && project.archived ? (
                <Chip tone="warning">{projects.archived}</Chip>
              ) : null}
              {project.star_count > 0 ? <span>{projects.stars(project.star_count)}</span> : null}
              <Time at={project.last_activity_at} />
            </>
          }
        >
          <div class="row">
            <Avatar name={project.name} url={project.avatar_url} />
            <div class="grow">
              <a data-main href={`/${project.path_with_namespace}`}>
                {project.name_with_namespace}
              </a>
              {project.description ? <p class="muted one-line">{project.description}</p> : null}
            </div>
          </div>
        </Row>
      ))}
    </List>
  )
}
