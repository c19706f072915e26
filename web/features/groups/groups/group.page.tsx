import { user } from '../../../api/session.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { groupText } from '../../../text/people.ts'
import { projects } from '../../../text/projects.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { GroupRows } from '../../../ui/group-rows/group-rows.tsx'
import { ListFilter } from '../../../ui/list/list-filter.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { ProjectRows } from '../../../ui/project-rows/project-rows.tsx'

function projectsInput({ place, url: { searchParams } }: AtPlace) {
  const search = searchParams.get('search')
  return {
    id: place.id,
    per_page: 30,
    page: Number(searchParams.get('page') ?? 1),
    order_by: 'last_activity_at' as const,
    ...(search ? { search } : {}),
  }
}

const subgroupsInput = ({ place }: AtPlace) => ({ id: place.id, per_page: 100 })

export const page: PageModule<AtPlace> = {
  calls: (at) => [
    need('GET /groups/:id/projects', projectsInput(at)),
    need('GET /groups/:id/subgroups', subgroupsInput(at)),
  ],
  View: GroupPage,
}

function GroupPage({ at }: { at: AtPlace }) {
  const input = { id: at.place.id, with_abilities: true, with_projects: false }
  const { data: group } = useApi('GET /groups/:id', input)
  const { data: subgroups } = useApi('GET /groups/:id/subgroups', subgroupsInput(at))
  const { data: list, page: pages } = useApi('GET /groups/:id/projects', projectsInput(at))
  if (!group) return null
  const isEmpty = list?.length === 0 && subgroups?.length === 0 && at.url.search === ''
  return (
    <Page
      title={group.name}
      tab={group.full_name}
      lead={group.description}
      actions={
        user.value && group.abilities?.change_group ? (
          <>
            <ButtonLink href={`/groups/new?parent_id=${group.id}`}>
              {groupText.newSubgroup}
            </ButtonLink>
            <ButtonLink look="primary" href={`/projects/new?namespace_id=${group.id}`}>
              {groupText.newProject}
            </ButtonLink>
          </>
        ) : null
      }
    >
      {isEmpty ? (
        <Blank title={groupText.empty}>
          <p>{groupText.emptyText}</p>
        </Blank>
      ) : null}
      {subgroups && subgroups.length > 0 ? (
        <Section title={groupText.subgroups}>
          <GroupRows list={subgroups} label={groupText.subgroups} />
        </Section>
      ) : null}
      {list && !isEmpty ? (
        <Section title={groupText.projects}>
          <ListFilter label={projects.filter} />
          {list.length === 0 ? (
            <p class="muted">{projects.none}</p>
          ) : (
            <ProjectRows list={list} label={groupText.projects} />
          )}
        </Section>
      ) : null}
      <Pager page={pages} />
    </Page>
  )
}
