import { mayInProject, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { List } from '../../../ui/list/list.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { type ListedProject, ProjectRow } from '../../../ui/project-row/project-row.tsx'

const inputOf = ({ place, url }: PlaceLocation) => ({
  id: place.id,
  per_page: 30,
  page: Number(url.searchParams.get('page') ?? 1),
})

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/forks', inputOf(at))],
  View: ({ at }) => {
    const { data, page: pages } = useApi('GET /projects/:id/forks', inputOf(at))
    const { data: project } = useProject(at.place.id)
    const forks = data as readonly ListedProject[] | undefined
    return (
      <Page
        title={repository.forks}
        actions={
          user.value && mayInProject(project, 'download_code') ? (
            <ButtonLink look="primary" href={`${placeBasePath(at.place)}/-/forks/new`}>
              {repository.fork}
            </ButtonLink>
          ) : null
        }
      >
        {forks?.length === 0 ? <EmptyState title={repository.noForks} /> : null}
        {forks && forks.length > 0 ? (
          <List label={repository.forks}>
            {forks.map((project) => (
              <ProjectRow key={project.id} project={project} />
            ))}
          </List>
        ) : null}
        <Pager page={pages} />
      </Page>
    )
  },
}
