import type { Input } from '../../../api/call.ts'
import { hasSession, user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { app } from '../../../text/app.ts'
import { exploreText } from '../../../text/explore.ts'
import { projects } from '../../../text/projects.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { SelectField } from '../../../ui/field/field.tsx'
import { List } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { type ListedProject, ProjectRow } from '../../../ui/project-row/project-row.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import './project-list.css'

type Order = NonNullable<Input<'GET /projects'>['order_by']>

/** One's own projects on the dashboard, for those who have an account; all that one sees elsewhere. */
const isOwn = ({ url }: PageLocation) => hasSession() && !url.pathname.startsWith('/explore')

/** Parameters of the address that are the server's own. */
function inputOf(at: PageLocation): Input<'GET /projects'> {
  const given = (name: string) => at.url.searchParams.get(name) || undefined
  const order = (given('sort') ?? 'last_activity_at') as Order
  const topic = given('topic')
  return {
    order_by: order,
    sort: order === 'name' ? 'asc' : 'desc',
    per_page: 30,
    page: Number(given('page') ?? 1),
    search: given('search'),
    visibility: given('visibility') as 'public' | undefined,
    with_programming_language: given('language'),
    ...(topic ? { topic: [topic] } : {}),
    archived: given('archived') === 'true' ? undefined : false,
    ...(given('starred') ? { starred: true } : {}),
    ...(isOwn(at) ? { membership: true } : {}),
  }
}

export const page: PageModule = {
  calls: (at) => [apiReadUrl('GET /projects', inputOf(at))],
  View: ProjectList,
}

function ProjectList({ at }: { at: PageLocation }) {
  const { data, page: pages, refusal, again } = useApi('GET /projects', inputOf(at))
  const own = isOwn(at)
  const found = data as readonly ListedProject[] | undefined
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
      <Tabs
        label={projects.exploreTitle}
        tabs={[
          user.value && { words: projects.yours, href: '/dashboard/projects', isHere: own },
          { words: projects.all, href: '/explore/projects', isHere: !own },
          {
            words: projects.groups,
            href: own ? '/dashboard/groups' : '/explore/groups',
            isHere: false,
          },
          !own && { words: exploreText.topics, href: '/explore/projects/topics', isHere: false },
        ]}
      />
      <div class="project-list-tools">
        <SearchField label={projects.filter} />
        <SelectField
          label={projects.sort}
          isLabelHidden
          options={projects.sorts}
          value={at.url.searchParams.get('sort') ?? 'last_activity_at'}
          onChange={(event) =>
            replaceUrl(
              currentUrlWithQuery({ sort: event.currentTarget.value, page: '' }, currentUrl.value),
            )
          }
        />
      </div>
      <Filters url={at.url} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {found?.length === 0 ? <None url={at.url} /> : null}
      {found && found.length > 0 ? (
        <List label={projects.exploreTitle}>
          {found.map((project) => (
            <ProjectRow key={project.id} project={project} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Page>
  )
}

const filters = ['visibility', 'language', 'topic', 'starred', 'archived'] as const

/** What may be chosen, and what was: each chosen one is taken away by the same press. */
function Filters({ url }: { url: URL }) {
  const offered: (readonly [string, string, string])[] = [
    ...(['public', 'internal', 'private'] as const)
      .filter((one) => user.value || one === 'public')
      .map((one) => ['visibility', one, projects.visibility[one]] as const),
    ...(user.value ? ([['starred', 'true', projects.starred]] as const) : []),
    ['archived', 'true', projects.includeArchived],
  ]
  for (const name of ['topic', 'language'] as const) {
    const value = url.searchParams.get(name)
    if (value) offered.push([name, value, value])
  }
  return (
    <ul class="row" aria-label={projects.filters}>
      {offered.map(([name, value, words]) => {
        const isOn = url.searchParams.get(name) === value
        const to = currentUrlWithQuery({ [name]: isOn ? '' : value, page: '' }, url)
        return (
          <li key={`${name} ${value}`}>
            <a
              class={`chip project-list-chip ${isOn ? 'project-list-on' : ''}`}
              href={to}
              aria-current={isOn ? 'true' : undefined}
            >
              {words}
              {isOn ? <span aria-hidden="true">{projects.removeSign}</span> : null}
            </a>
          </li>
        )
      })}
    </ul>
  )
}

function None({ url }: { url: URL }) {
  const isFiltered = ['search', ...filters].some((name) => url.searchParams.get(name))
  if (isFiltered) {
    return (
      <EmptyState title={projects.noMatches}>
        <ButtonLink href={url.pathname}>{projects.clearFilters}</ButtonLink>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={projects.empty}>
      <p>{user.value ? projects.emptyText : projects.emptyVisitor}</p>
      {user.value ? (
        <ButtonLink look="primary" href="/projects/new">
          {app.newProject}
        </ButtonLink>
      ) : (
        <ButtonLink look="primary" href="/users/sign_in">
          {app.signIn}
        </ButtonLink>
      )}
    </EmptyState>
  )
}
