import { user } from '../../../api/session.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { app } from '../../../text/app.ts'
import { groupText } from '../../../text/people.ts'
import { projects } from '../../../text/projects.ts'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { GroupRows } from '../../../ui/group-rows/group-rows.tsx'
import { ListFilter } from '../../../ui/list/list-filter.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { At, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'

function inputOf({ url: { pathname, searchParams } }: At) {
  const search = searchParams.get('search')
  return {
    per_page: 30,
    page: Number(searchParams.get('page') ?? 1),
    ...(pathname.startsWith('/explore')
      ? { all_available: true }
      : { min_access_level: 10 as const }),
    ...(search ? { search } : {}),
  }
}

export const page: PageModule = {
  calls: (at) => [need('GET /groups', inputOf(at))],
  View: GroupList,
}

function GroupList({ at }: { at: At }) {
  const { data, page: pages, refusal, again } = useApi('GET /groups', inputOf(at))
  return (
    <Page
      title={groupText.explore}
      actions={
        user.value?.can_create_group ? (
          <ButtonLink look="primary" href="/groups/new">
            {app.newGroup}
          </ButtonLink>
        ) : null
      }
    >
      <Tabs
        label={projects.exploreTitle}
        tabs={[
          user.value ? { words: projects.yours, href: '/', isHere: false } : undefined,
          { words: projects.all, href: '/explore/projects', isHere: false },
          { words: projects.groups, href: '/explore/groups', isHere: true },
        ]}
      />
      <ListFilter label={groupText.filter} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <Waiting />}
      {data?.length === 0 ? <Blank title={groupText.none} /> : null}
      {data && data.length > 0 ? <GroupRows list={data} label={groupText.list} /> : null}
      <Pager page={pages} />
    </Page>
  )
}
