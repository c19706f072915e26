import { mayInGroup, useGroup } from '../../../api/group.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl } from '../../../api/use-api.ts'
import { Members, membersInput } from '../../../ui/members/members.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'

export const page: PageModule<PlaceLocation> = {
  calls: ({ place, url }) => [
    apiReadUrl('GET /groups/:id/members/all', membersInput(place.id, url)),
  ],
  View: ({ at: { place, url } }) => {
    const { data: group } = useGroup(place.id)
    return (
      <Members
        kind="groups"
        id={place.id}
        url={url}
        mayManage={mayInGroup(group, 'manage_members')}
        mayShare={mayInGroup(group, 'share_group')}
        mayAsk={user.value !== null && mayInGroup(group, 'request_access')}
      />
    )
  },
}
