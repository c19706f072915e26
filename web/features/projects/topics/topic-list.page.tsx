// The topics of projects that the reader sees, each of which leads to its projects.
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { exploreText } from '../../../text/explore.ts'
import { groups } from '../../../text/groups.ts'
import { projects } from '../../../text/projects.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'

function inputOf({ url: { searchParams } }: PageLocation) {
  return {
    per_page: 30,
    page: Number(searchParams.get('page') ?? 1),
    search: searchParams.get('search') || undefined,
  }
}

export const page: PageModule = {
  calls: (at) => [apiReadUrl('GET /topics', inputOf(at))],
  View: TopicList,
}

function TopicList({ at }: { at: PageLocation }) {
  const { data, page: pages, refusal, again } = useApi('GET /topics', inputOf(at))
  const isSearch = Boolean(at.url.searchParams.get('search'))
  return (
    <Page title={exploreText.topics}>
      <Tabs
        label={exploreText.topics}
        tabs={[
          { words: projects.all, href: '/explore/projects', isHere: false },
          { words: groups.all, href: '/explore/groups', isHere: false },
          { words: exploreText.topics, href: '/explore/projects/topics', isHere: true },
        ]}
      />
      <SearchField label={exploreText.filterTopics} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={isSearch ? exploreText.noMatchingTopics : exploreText.noTopics}>
          {isSearch ? null : <p>{exploreText.noTopicsText}</p>}
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={exploreText.topics}>
          {data.map((topic) => (
            <ListRow key={topic.id} aside={exploreText.projectsCount(topic.total_projects_count)}>
              <span class="row">
                <Avatar name={topic.title} url={topic.avatar_url} />
                <a data-main href={`/explore/projects?topic=${encodeURIComponent(topic.name)}`}>
                  {topic.title}
                </a>
              </span>
              {topic.description ? <p class="muted one-line">{topic.description}</p> : null}
            </ListRow>
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Page>
  )
}
