import { mayInGroup, useGroup } from '../../../api/group.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { app } from '../../../text/app.ts'
import { groups } from '../../../text/groups.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { GroupRow } from '../../../ui/group-row/group-row.tsx'
import { List } from '../../../ui/list/list.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { type ListedProject, ProjectRow } from '../../../ui/project-row/project-row.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'

const searchOf = ({ url }: PlaceLocation) => url.searchParams.get('search') || undefined

const subgroupsInput = (at: PlaceLocation) => ({
  id: at.place.id,
  per_page: 30,
  page: Number(at.url.searchParams.get('groups_page') ?? 1),
  search: searchOf(at),
})

const projectsInput = (at: PlaceLocation) => ({
  id: at.place.id,
  per_page: 30,
  page: Number(at.url.searchParams.get('page') ?? 1),
  search: searchOf(at),
  order_by: 'last_activity_at' as const,
})

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [
    apiReadUrl('GET /groups/:id/subgroups', subgroupsInput(at)),
    apiReadUrl('GET /groups/:id/projects', projectsInput(at)),
  ],
  View: GroupPage,
}

function GroupPage({ at }: { at: PlaceLocation }) {
  const { data: group } = useGroup(at.place.id)
  const subgroups = useApi('GET /groups/:id/subgroups', subgroupsInput(at))
  const inside = useApi('GET /groups/:id/projects', projectsInput(at))
  const { page: members } = useApi(
    'GET /groups/:id/members/all',
    user.value ? { id: at.place.id, per_page: 1 } : undefined,
  )
  if (!group) return null
  const list = inside.data as readonly ListedProject[] | undefined
  const isEmpty = subgroups.data?.length === 0 && list?.length === 0
  return (
    <Page
      title={
        <span class="row">
          <Avatar name={group.name} url={group.avatar_url} size={40} /> {group.name}
        </span>
      }
      tab={group.full_name}
      lead={group.description || undefined}
      actions={
        <>
          {typeof members?.total === 'number' ? (
            <ButtonLink look="quiet" href={`${placeBasePath(at.place)}/-/group_members`}>
              {groups.membersCount(members.total)}
            </ButtonLink>
          ) : null}
          {mayInGroup(group, 'create_subgroup') ? (
            <ButtonLink href={`/groups/new?parent_id=${group.id}`}>{groups.newSubgroup}</ButtonLink>
          ) : null}
          {user.value?.can_create_project ? (
            <ButtonLink look="primary" href={`/projects/new?namespace_id=${group.id}`}>
              {app.newProject}
            </ButtonLink>
          ) : null}
        </>
      }
    >
      <SearchField label={groups.filterInside} />
      {isEmpty ? (
        <EmptyState title={searchOf(at) ? groups.noMatchesInside : groups.emptyGroup} />
      ) : null}
      {subgroups.data && subgroups.data.length > 0 ? (
        <Section title={groups.subgroups}>
          <List label={groups.subgroups}>
            {subgroups.data.map((one) => (
              <GroupRow key={one.id} group={one} isShort />
            ))}
          </List>
          <Pager page={subgroups.page} name="groups_page" />
        </Section>
      ) : null}
      {list && list.length > 0 ? (
        <Section title={groups.projects}>
          <List label={groups.projects}>
            {list.map((project) => (
              <ProjectRow key={project.id} project={project} />
            ))}
          </List>
          <Pager page={inside.page} />
        </Section>
      ) : null}
    </Page>
  )
}
