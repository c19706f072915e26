import { mayInProject, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl } from '../../../api/use-api.ts'
import { Members, membersInput } from '../../../ui/members/members.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'

export const page: PageModule<PlaceLocation> = {
  calls: ({ place, url }) => [
    apiReadUrl('GET /projects/:id/members/all', membersInput(place.id, url)),
  ],
  View: ({ at: { place, url } }) => {
    const { data: project } = useProject(place.id)
    return (
      <Members
        kind="projects"
        id={place.id}
        url={url}
        mayManage={mayInProject(project, 'manage_members')}
        mayShare={mayInProject(project, 'share_project')}
        mayAsk={user.value !== null && mayInProject(project, 'request_access')}
      />
    )
  },
}
