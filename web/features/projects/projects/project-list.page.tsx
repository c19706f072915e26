import { hasSession, user } from '../../../api/session.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { app } from '../../../text/app.ts'
import { projects } from '../../../text/projects.ts'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { At, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Time } from '../../../ui/time/time.tsx'

/** One's own projects on `/` and the dashboard, for those who have an account; all that one sees elsewhere. */
const isOwn = ({ url }: At) => hasSession() && !url.pathname.startsWith('/explore')

function inputOf(at: At) {
  const { searchParams } = at.url
  return {
    simple: true,
    order_by: 'last_activity_at' as const,
    per_page: 30,
    page: Number(searchParams.get('page') ?? 1),
    ...(isOwn(at) ? { membership: true } : {}),
    ...(searchParams.get('search') ? { search: searchParams.get('search') ?? '' } : {}),
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
          ]}
        />
      ) : null}
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data ? null : <Waiting />}
      {data?.length === 0 ? (
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
      {data && data.length > 0 ? (
        <List label={projects.exploreTitle}>
          {data.map((project) => (
            <Row
              key={project.id}
              aside={
                <>
                  {'visibility' in project ? <Chip>{String(project.visibility)}</Chip> : null}
                  <span>{projects.stars(project.star_count)}</span>
                  <Time at={project.last_activity_at} />
                </>
              }
            >
              <a data-main href={`/${project.path_with_namespace}`}>
                {project.name_with_namespace}
              </a>
              {project.description ? <p class="muted one-line">{project.description}</p> : null}
            </Row>
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Page>
  )
}
