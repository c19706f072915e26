// The first page of somebody with an account: what to do next, what others have to do, and the way back to recent work.
import { isAdministrator, user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { app } from '../../../text/app.ts'
import { homePageText as words } from '../../../text/home.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { pathnameOf } from '../../../ui/project-address.ts'
import { listRecent } from '../../../ui/recent.ts'
import { Time } from '../../../ui/time/time.tsx'
import { AssignedWorkRow, type TodoItem, TodoRow, todoTargetPath } from './todo-row.tsx'

const shown_max = 20
const projects_max = 10
const recent_max = 6

const todosInput = { state: 'pending', per_page: shown_max } as const
const open = { state: 'opened', order_by: 'updated_at', per_page: shown_max } as const
const reviewInput = () => ({
  ...open,
  scope: 'all' as const,
  reviewer_username: user.value?.username ?? '',
})
const assignedInput = { ...open, scope: 'assigned_to_me' } as const
const createdInput = { ...open, scope: 'created_by_me', with_changes_requested: true } as const
const projectsInput = {
  membership: true,
  archived: false,
  order_by: 'last_activity_at',
  per_page: projects_max,
} as const

export const page: PageModule = {
  // The rest comes at the end of its column, right after.
  calls: () => [
    apiReadUrl('GET /todos', todosInput),
    apiReadUrl('GET /merge_requests', reviewInput()),
    apiReadUrl('GET /issues', assignedInput),
  ],
  View: Home,
}

function Home() {
  return (
    <Page
      title={words.title}
      actions={<ButtonLink href="/dashboard/todos">{words.allTodos}</ButtonLink>}
    >
      <div class="page-columns">
        <div class="stack">
          <NeedsYou />
          <WaitingForOthers />
        </div>
        <div class="stack">
          <RecentPages />
          <Projects />
        </div>
      </div>
    </Page>
  )
}

type Work =
  | { key: string; at: string; todo: TodoItem }
  | (Parameters<typeof AssignedWorkRow>[0] & { key: string })

/** To-do items, reviews and assigned issues, each thing once, the newest first. */
function NeedsYou() {
  const { data: todos = [] } = useApi('GET /todos', todosInput)
  const { data: reviews = [] } = useApi('GET /merge_requests', reviewInput())
  const { data: issues = [] } = useApi('GET /issues', assignedInput)
  const known = new Set(todos.map((todo) => todoTargetPath(todo).replace(/#.*/, '')))
  const isNew = (url: string) => {
    const path = pathnameOf(url)
    if (known.has(path)) return false
    known.add(path)
    return true
  }
  const thing = (
    { web_url, title, created_at }: { web_url: string; title: string; created_at: string },
    { reference, reason }: { reference: string; reason: string },
  ) => ({ key: web_url, title, href: pathnameOf(web_url), at: created_at, reference, reason })
  const work: Work[] = [
    ...todos.map((todo) => ({ key: `todo ${todo.id}`, at: todo.created_at, todo })),
    ...reviews
      .filter(({ web_url }) => isNew(web_url))
      .map((request) => thing(request, { reference: referenceOf(request), reason: words.review })),
    ...issues
      .filter(({ web_url }) => isNew(web_url))
      .map((issue) => thing(issue, { reference: issue.references.full, reason: words.assigned })),
  ]
  work.sort((one, other) => other.at.localeCompare(one.at))
  return (
    <Section title={words.needsYou(work.length)}>
      {work.length === 0 ? (
        <EmptyState title={words.needsNothing}>
          <p>{words.needsNothingText}</p>
        </EmptyState>
      ) : (
        <List label={words.needsYou(work.length)}>
          {work.map((one) =>
            'todo' in one ? (
              <TodoRow key={one.key} todo={one.todo} />
            ) : (
              <AssignedWorkRow {...one} key={one.key} />
            ),
          )}
        </List>
      )}
      <p class="row">
        <a href={`/dashboard/issues?assignee_username=${user.value?.username ?? ''}`}>
          {words.assignedIssues}
        </a>
      </p>
    </Section>
  )
}

const referenceOf = (request: object) =>
  'references' in request ? (request.references as { full: string }).full : ''

const namesOf = (people: readonly { name: string }[]) => people.map(({ name }) => name).join(', ')

function WaitingForOthers() {
  const { data } = useApi('GET /merge_requests', createdInput)
  if (!data) return <LoadingRows />
  return (
    <Section title={words.waiting(data.length)}>
      {data.length === 0 ? <p class="muted">{words.waitingNothing}</p> : null}
      {data.length > 0 ? (
        <List label={words.waiting(data.length)}>
          {data.map((request) => {
            const reviewers = 'reviewers' in request ? request.reviewers : []
            const asking = ('changes_requested_by' in request && request.changes_requested_by) || []
            const status = 'detailed_merge_status' in request ? request.detailed_merge_status : ''
            // A request for changes blocks no merge, but what it is on is not ready.
            const state =
              asking.length > 0 && status === 'mergeable' ? '' : words.mergeStates[status]
            const waitsFor = reviewers.filter((one) => asking.every(({ id }) => id !== one.id))
            const reason = [
              asking.length > 0 && words.changesRequestedBy(namesOf(asking)),
              state,
              waitsFor.length > 0 && words.waitingForReview(namesOf(waitsFor)),
            ]
            return (
              <AssignedWorkRow
                key={request.id}
                title={request.title}
                href={pathnameOf(request.web_url)}
                reference={referenceOf(request)}
                reason={reason.filter(Boolean).join(' · ')}
                at={request.updated_at}
              />
            )
          })}
        </List>
      ) : null}
      <p class="row">
        <a href={`/dashboard/merge_requests?author_username=${user.value?.username ?? ''}`}>
          {words.ownRequests}
        </a>
      </p>
    </Section>
  )
}

function Projects() {
  const { data } = useApi('GET /projects', projectsInput)
  if (!data) return <LoadingRows />
  return (
    <Section title={words.projects}>
      {data.length === 0 ? <p class="muted">{words.noProjects}</p> : null}
      {data.length === 0 && isAdministrator() ? (
        <p>
          {words.setUp} <a href="/admin">{words.firstSteps}</a>
        </p>
      ) : null}
      {data.length > 0 ? (
        <List label={words.projects}>
          {data.map(({ id, path_with_namespace, last_activity_at }) => (
            <ListRow key={id} aside={<Time at={last_activity_at} />}>
              <a data-main href={`/${path_with_namespace}`}>
                {path_with_namespace}
              </a>
            </ListRow>
          ))}
        </List>
      ) : null}
      <p class="row">
        {user.value?.can_create_project ? (
          <ButtonLink look={data.length === 0 ? 'primary' : 'plain'} href="/projects/new">
            {app.newProject}
          </ButtonLink>
        ) : null}
        <a href="/dashboard/projects">{words.allProjects}</a>
      </p>
    </Section>
  )
}

/** Pages opened in this browser, without this one. */
function RecentPages() {
  const recent = listRecent()
    .filter(({ href }) => href !== '/')
    .slice(0, recent_max)
  return (
    <Section title={words.recent}>
      {recent.length === 0 ? <p class="muted">{words.recentNothing}</p> : null}
      {recent.length > 0 ? (
        <List label={words.recent}>
          {recent.map(({ href, words: name }) => (
            <ListRow key={href}>
              <a data-main href={href}>
                {name}
              </a>
            </ListRow>
          ))}
        </List>
      ) : null}
    </Section>
  )
}
