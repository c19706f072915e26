import { useMemo } from 'preact/hooks'
import type { Answer } from '../../../api/call.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { HistoryGraph } from '../../../surfaces/graph/history-graph.tsx'
import { formatDay } from '../../../text/numbers.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CodePath } from '../../../ui/code-path/code-path.tsx'
import { CommitLine } from '../../../ui/commit-line/commit-line.tsx'
import { useSignatures } from '../../../ui/commit-line/use-signatures.ts'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { navigate, replaceUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefPicker } from '../../../ui/ref-picker/ref-picker.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import './commit-list.css'

type Commit = Answer<'GET /projects/:id/repository/commits'>[number]

const filters = ['author', 'since', 'until', 'search'] as const

function inputOf({ place, url }: PlaceLocation) {
  const { id, commit, ref } = place
  const given = (name: string) => url.searchParams.get(name) ?? ''
  return {
    id,
    per_page: 30,
    page: Number(given('page') || 1),
    ref_name: commit ?? ref ?? undefined,
    path: place.path || undefined,
    author: given('author') || undefined,
    search: given('search') || undefined,
    since: given('since') ? `${given('since')}T00:00:00Z` : undefined,
    until: given('until') ? `${given('until')}T23:59:59Z` : undefined,
  }
}

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/repository/commits', inputOf(at))],
  View: CommitList,
}

function CommitList({ at }: { at: PlaceLocation }) {
  const { place, url } = at
  const shown = useApi('GET /projects/:id/repository/commits', inputOf(at))
  const { data: project } = useProject(place.id)
  const commits = shown.data
  const [base, refName, path] = [placeBasePath(place), place.ref ?? '', place.path ?? '']
  const isFiltered = filters.some((name) => url.searchParams.has(name))
  return (
    <Page
      title={path ? repository.historyOf(path) : repository.commits}
      tab={`${path ? repository.historyOf(path) : repository.commits} · ${refName}`}
    >
      <div class="row">
        <RefPicker
          projectId={place.id}
          now={refName}
          keys="r"
          onPick={(name) => navigate(repositoryPageUrl(base, 'commits', name, path))}
        />
        {path ? (
          <CodePath base={base} name={project?.path ?? ''} refName={refName} path={path} />
        ) : (
          <span class="grow" />
        )}
        {path ? (
          <ButtonLink href={repositoryPageUrl(base, 'commits', refName)}>
            {repository.allCommits}
          </ButtonLink>
        ) : null}
      </div>
      <details class="commit-list-filter" open={isFiltered}>
        <summary>{repository.filter}</summary>
        <Filter url={url} />
      </details>
      {shown.refusal && !commits ? (
        <RefusalNote refusal={shown.refusal} onAgain={shown.again} />
      ) : null}
      {commits || shown.refusal ? null : <LoadingRows rows={10} />}
      {commits?.length === 0 ? <EmptyState title={repository.noMatchingCommits} /> : null}
      {commits ? (
        <Days
          commits={commits}
          at={at}
          showsPipelines={mayInProject(project, 'read_pipelines')}
          isWhole={!isFiltered && path === ''}
        />
      ) : null}
      <Pager page={shown.page} />
    </Page>
  )
}

function Filter({ url }: { url: URL }) {
  const value = (name: string) => url.searchParams.get(name) ?? ''
  return (
    <Form
      key={url.search}
      action={repository.filterApply}
      onSubmit={(values) => {
        const query = new URLSearchParams()
        for (const name of filters) if (values.text(name)) query.set(name, values.text(name))
        replaceUrl(`${url.pathname}${query.size > 0 ? `?${query}` : ''}`)
      }}
    >
      <div class="commit-list-fields">
        <TextField
          label={repository.author}
          hint={repository.authorHint}
          name="author"
          defaultValue={value('author')}
        />
        <TextField
          label={repository.message}
          hint={repository.messageHint}
          name="search"
          defaultValue={value('search')}
        />
        <TextField
          label={repository.since}
          name="since"
          type="date"
          defaultValue={value('since')}
        />
        <TextField
          label={repository.until}
          name="until"
          type="date"
          defaultValue={value('until')}
        />
      </div>
    </Form>
  )
}

/** The commits, by the day they were made on. */
function Days({
  commits,
  at: { place },
  showsPipelines,
  isWhole,
}: {
  commits: readonly Commit[]
  at: PlaceLocation
  showsPipelines: boolean
  /** Nothing is left out between them. */
  isWhole: boolean
}) {
  const { data: pipelines } = useApi(
    'GET /projects/:id/pipelines',
    showsPipelines && place.ref_type === 'branch'
      ? { id: place.id, ref: place.ref ?? '', per_page: 100 }
      : undefined,
  )
  const signatures = useSignatures(place.id, commits)
  const base = placeBasePath(place)
  const days = useMemo(
    () => Map.groupBy(commits, ({ committed_date }) => formatDay(new Date(committed_date))),
    [commits],
  )
  const drawn = useMemo(() => (isWhole ? [...days.values()].flat() : []), [days, isWhole])
  return (
    <HistoryGraph commits={drawn} row=".commit-line">
      {[...days].map(([name, ones]) => (
        <section key={name} class="stack stack-close">
          <h2 class="commit-list-day">{name}</h2>
          <List label={name}>
            {ones.map((commit) => {
              const pipeline = pipelines?.find(({ sha }) => sha === commit.id)
              return (
                <ListRow key={commit.id}>
                  <CommitLine
                    commit={commit}
                    base={base}
                    signed={signatures.get(commit.id)?.verification_status}
                    aside={
                      pipeline ? (
                        <a href={`${base}/-/pipelines/${pipeline.id}`}>
                          <Status status={pipeline.status} />
                        </a>
                      ) : null
                    }
                  />
                </ListRow>
              )
            })}
          </List>
        </section>
      ))}
    </HistoryGraph>
  )
}
