import { hasSession, user } from '../../../api/session.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { app } from '../../../text/app.ts'
import { projects } from '../../../text/projects.ts'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { ListFilter } from '../../../ui/list/list-filter.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { At, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { ProjectRows } from '../../../ui/project-rows/project-rows.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'

/** One's own projects on `/` and the dashboard, for those who have an account; all that one sees elsewhere. */
const isOwn = ({ url }: At) => hasSession() && !url.pathname.startsWith('/explore')

const orders = ['last_activity_at', 'created_at', 'name'] as const

function inputOf(at: At) {
  const { searchParams } = at.url
  const order = orders.find((one) => one === searchParams.get('sort')) ?? 'last_activity_at'
  return {
    simple: !hasSession(),
    order_by: order,
    ...(order === 'name' ? { sort: 'asc' as const } : {}),
    per_page: 30,
    page: Number(searchParams.get('page') ?? 1),
    ...(isOwn(at) ? { membership: true } : {}),
    ...(searchParams.get('search') ? { search: searchParams.get('search') ?? '' } : {}),
    ...(searchParams.get('starred') ? { starred: true } : {}),
    ...(searchParams.get('topic') ? { topic: [searchParams.get('topic') ?? ''] } : {}),
  }
}

export const page: PageModule = {
  calls: (at) => [need('GET /projects', inputOf(at))],
  View: ProjectList,
}

function ProjectList({ at }: { at: At }) {
  const { data, page: pages, refusal, again } = useApi('GET /projects', inputOf(at))
  const own = isOwn(at)
  return (
    <Page
      title={own ? projects.dashboard : projects.exploreTitle}
      actions={
        user.value?.can_create_project ? (
          <ButtonLink look="primary" href="/projects/new">
            {app.newProject}
          </ButtonLink>
        ) : null
      }
    >
      {user.value ? (
        <Tabs
          label={projects.exploreTitle}
          tabs={[
            { words: projects.yours, href: '/', isHere: own },
            { words: projects.all, href: '/explore/projects', isHere: !own },
            { words: projects.groups, href: '/explore/groups', isHere: false },
          ]}
        />
      ) : null}
      <ListFilter
        label={projects.filter}
        orders={[
          ['last_activity_at', projects.byActivity],
          ['created_at', projects.byAge],
          ['name', projects.byName],
        ]}
      />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data ? null : <Waiting />}
      {data?.length === 0 && at.url.search !== '' ? <Blank title={projects.none} /> : null}
      {data?.length === 0 && at.url.search === '' ? (
        <Blank title={projects.empty}>
          <p>{projects.emptyText}</p>
          {user.value ? (
            <ButtonLink look="primary" href="/projects/new">
              {app.newProject}
            </ButtonLink>
          ) : (
            <ButtonLink look="primary" href="/users/sign_in">
              {app.signIn}
            </ButtonLink>
          )}
        </Blank>
      ) : null}
      {data && data.length > 0 ? <ProjectRows list={data} label={projects.exploreTitle} /> : null}
      <Pager page={pages} />
    </Page>
  )
}
