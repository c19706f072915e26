import { hasSession, user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { app } from '../../../text/app.ts'
import { exploreText } from '../../../text/explore.ts'
import { groups } from '../../../text/groups.ts'
import { projects } from '../../../text/projects.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { GroupRow } from '../../../ui/group-row/group-row.tsx'
import { List } from '../../../ui/list/list.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'

const isOwn = ({ url }: PageLocation) => hasSession() && url.pathname.startsWith('/dashboard')

function inputOf(at: PageLocation) {
  const { searchParams } = at.url
  return {
    per_page: 30,
    page: Number(searchParams.get('page') ?? 1),
    search: searchParams.get('search') || undefined,
    ...(isOwn(at) ? { min_access_level: 10 as const } : {}),
  }
}

export const page: PageModule = {
  calls: (at) => [apiReadUrl('GET /groups', inputOf(at))],
  View: GroupList,
}

function GroupList({ at }: { at: PageLocation }) {
  const { data, page: pages, refusal, again } = useApi('GET /groups', inputOf(at))
  const own = isOwn(at)
  return (
    <Page
      title={own ? groups.yours : groups.groups}
      actions={
        user.value?.can_create_group ? (
          <ButtonLink look="primary" href="/groups/new">
            {app.newGroup}
          </ButtonLink>
        ) : null
      }
    >
      <Tabs
        label={groups.groups}
        tabs={[
          {
            words: projects.exploreTitle,
            href: own ? '/dashboard/projects' : '/explore/projects',
            isHere: false,
          },
          user.value && { words: groups.yours, href: '/dashboard/groups', isHere: own },
          { words: groups.all, href: '/explore/groups', isHere: !own },
          !own && { words: exploreText.topics, href: '/explore/projects/topics', isHere: false },
        ]}
      />
      <SearchField label={groups.filter} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        at.url.searchParams.get('search') ? (
          <EmptyState title={groups.noMatches} />
        ) : (
          <EmptyState title={groups.emptyList}>
            <p>{user.value ? groups.emptyListText : exploreText.noPublicGroups}</p>
          </EmptyState>
        )
      ) : null}
      {data && data.length > 0 ? (
        <List label={groups.groups}>
          {data.map((group) => (
            <GroupRow key={group.id} group={group} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Page>
  )
}
