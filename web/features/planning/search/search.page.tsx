import { user } from '../../../api/session.ts'
import { useApi, useApiUrl } from '../../../api/use-api.ts'
import { CodeExcerpt } from '../../../surfaces/code/excerpt.tsx'
import { search as words } from '../../../text/search.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { GroupRow } from '../../../ui/group-row/group-row.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery, navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { repositoryPageUrl } from '../../../ui/project-address.ts'
import { ProjectRow } from '../../../ui/project-row/project-row.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Time } from '../../../ui/time/time.tsx'

type Scope = keyof typeof words.scopes

const everywhere: readonly Scope[] = ['projects', 'groups', 'users', 'issues', 'merge_requests']
const inProject: readonly Scope[] = ['blobs', 'commits', 'issues', 'merge_requests', 'users']

export const page: PageModule = { View: SearchPage }

function SearchPage({ at }: { at: PageLocation }) {
  const { searchParams } = at.url
  const text = searchParams.get('search') ?? ''
  const projectId = searchParams.get('project_id')
  const scopes = projectId ? inProject : everywhere
  const scope = scopes.find((one) => one === searchParams.get('scope')) ?? scopes[0] ?? 'projects'
  const { data: project } = useApi(
    'GET /projects/:id',
    projectId ? { id: projectId, with_abilities: true } : undefined,
  )
  return (
    <Page
      title={words.title}
      tab={text || words.title}
      lead={project ? words.inProject(project.name_with_namespace) : ''}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const asked = String(new FormData(event.currentTarget).get('search') ?? '')
          navigate(currentUrlWithQuery({ search: asked, page: undefined }))
        }}
      >
        <TextField key={text} label={words.term} name="search" type="search" defaultValue={text} />
      </form>
      <Tabs
        label={words.results}
        tabs={scopes.map((one) => ({
          words: words.scopes[one],
          href: currentUrlWithQuery({ scope: one, page: undefined }, at.url),
          isHere: one === scope,
        }))}
      />
      {text.trim() === '' || !user.value ? (
        <EmptyState title={user.value ? words.enterTerm : words.signInFirst} />
      ) : (
        <Hits
          {...{ scope, text, projectId }}
          page={searchParams.get('page') ?? '1'}
          base={`/${project?.path_with_namespace ?? ''}`}
        />
      )}
    </Page>
  )
}

type HitsProps = {
  scope: Scope
  text: string
  projectId: string | null
  page: string
  base: string
}
// biome-ignore lint/suspicious/noExplicitAny: what is found is of the scope that was asked for.
type Found = any[]

function Hits({ scope, text, projectId, page, base }: HitsProps) {
  const asked = new URLSearchParams({ search: text, per_page: '20', page })
  const url =
    scope === 'groups'
      ? `/api/v4/groups?${asked}&all_available=true`
      : `/api/v4${projectId ? `/projects/${encodeURIComponent(projectId)}` : ''}/search?${asked}&scope=${scope}`
  const { data, page: pages, refusal, again } = useApiUrl<Found>(url)
  if (refusal && !data) return <RefusalNote refusal={refusal} onAgain={again} />
  if (!data) return <LoadingRows />
  return (
    <>
      {data.length === 0 ? (
        <EmptyState title={words.noMatches} />
      ) : (
        <Results {...{ scope, data, base }} />
      )}
      <Pager page={pages} />
    </>
  )
}

function Results({ scope, data, base }: { scope: Scope; data: Found; base: string }) {
  const asked = currentUrl.value.searchParams.get('search') ?? ''
  switch (scope) {
    case 'projects':
      return (
        <List label={words.results}>
          {data.map((project) => (
            <ProjectRow key={project.id} project={project} />
          ))}
        </List>
      )
    case 'groups':
      return (
        <List label={words.results}>
          {data.map((group) => (
            <GroupRow key={group.id} group={group} />
          ))}
        </List>
      )
    case 'users':
      return (
        <List label={words.results}>
          {data.map(({ id, name, username, avatar_url }) => (
            <ListRow key={id}>
              <div class="row">
                <Avatar name={name} url={avatar_url} />
                <a data-main href={`/${username}`}>
                  {name}
                </a>
                <span class="muted">@{username}</span>
              </div>
            </ListRow>
          ))}
        </List>
      )
    case 'blobs':
      return (
        <div class="stack">
          {data.map(({ path, data: text, startline, ref }) => (
            <section key={`${path} ${startline}`} class="stack stack-close">
              <a class="mono" href={`${repositoryPageUrl(base, 'blob', ref, path)}#L${startline}`}>
                {words.location(path, startline)}
              </a>
              <CodeExcerpt text={text} path={path} first={startline} found={asked} />
            </section>
          ))}
        </div>
      )
    case 'commits':
      return (
        <List label={words.results}>
          {data.map(({ id, title, short_id, author_name, committed_date }) => (
            <ListRow key={id} aside={<Time at={committed_date} />}>
              <a data-main href={`${base}/-/commit/${id}`}>
                {title}
              </a>
              <p class="muted">
                <span class="mono">{short_id}</span> {author_name}
              </p>
            </ListRow>
          ))}
        </List>
      )
    default:
      return (
        <List label={words.results}>
          {data.map(({ id, iid, title, web_url, state, updated_at }) => (
            <ListRow key={id} aside={<Time at={updated_at} />}>
              <a data-main href={new URL(web_url).pathname}>
                {title}
              </a>{' '}
              <span class="muted">
                #{iid} {state}
              </span>
            </ListRow>
          ))}
        </List>
      )
  }
}
