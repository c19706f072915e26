import { may, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { need } from '../../../api/use-api.ts'
import { Members, membersInput } from '../../../ui/members/members.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'

export const page: PageModule<AtPlace> = {
  calls: ({ place, url }) => [need('GET /projects/:id/members/all', membersInput(place.id, url))],
  View: ({ at: { place, url } }) => {
    const { data: project } = useProject(place.id)
    return (
      <Members
        kind="projects"
        id={place.id}
        url={url}
        mayManage={may(project, 'manage_members')}
        mayShare={may(project, 'share_project')}
        mayAsk={user.value !== null && may(project, 'request_access')}
      />
    )
  },
}
