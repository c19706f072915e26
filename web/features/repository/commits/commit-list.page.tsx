import { may, useProject } from '../../../api/project.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { day } from '../../../text/numbers.ts'
import { repository } from '../../../text/repository.ts'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CodePath } from '../../../ui/code-path/code-path.tsx'
import { CommitLine, type LineCommit } from '../../../ui/commit-line/commit-line.tsx'
import { useSignatures } from '../../../ui/commit-line/use-signatures.ts'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { navigate, say } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { addressOf, baseOf } from '../../../ui/project-address.ts'
import { RefPicker } from '../../../ui/ref-picker/ref-picker.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import './commit-list.css'

const filters = ['author', 'since', 'until', 'search'] as const

/** A message is searched for by the search of the project; all else is the list's own. */
function askedBy({ place, url }: AtPlace) {
  const { id, commit, ref } = place
  const given = (name: string) => url.searchParams.get(name) ?? ''
  const page = Number(given('page') || 1)
  const ofPage = { id, per_page: 30, page }
  if (given('search') !== '') {
    const search = given('search')
    return { search: { ...ofPage, search, scope: 'commits' as const, ref: ref ?? undefined } }
  }
  const list = {
    ...ofPage,
    ref_name: commit ?? ref ?? undefined,
    path: place.path || undefined,
    author: given('author') || undefined,
    since: given('since') ? `${given('since')}T00:00:00Z` : undefined,
    until: given('until') ? `${given('until')}T23:59:59Z` : undefined,
  }
  return { list }
}

export const page: PageModule<AtPlace> = {
  calls: (at) => {
    const { list, search } = askedBy(at)
    return [
      list
        ? need('GET /projects/:id/repository/commits', list)
        : need('GET /projects/:id/-/search', search),
    ]
  },
  View: CommitList,
}

function CommitList({ at }: { at: AtPlace }) {
  const { place, url } = at
  const { list, search } = askedBy(at)
  const listed = useApi('GET /projects/:id/repository/commits', list)
  const found = useApi('GET /projects/:id/-/search', search)
  const { data: project } = useProject(place.id)
  const shown = list ? listed : found
  const commits = shown.data as readonly LineCommit[] | undefined
  const [base, refName, path] = [baseOf(place), place.ref ?? '', place.path ?? '']
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
          onPick={(name) => navigate(addressOf(base, 'commits', name, path))}
        />
        {path ? (
          <CodePath base={base} name={project?.path ?? ''} refName={refName} path={path} />
        ) : (
          <span class="grow" />
        )}
        {path ? (
          <ButtonLink href={addressOf(base, 'commits', refName)}>
            {repository.wholeHistory}
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
      {commits || shown.refusal ? null : <Waiting rows={10} />}
      {commits?.length === 0 ? <Blank title={repository.noCommits} /> : null}
      {commits ? (
        <Days commits={commits} at={at} showsPipelines={may(project, 'read_pipelines')} />
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
      action={repository.filter}
      onSubmit={(values) => {
        const query = new URLSearchParams()
        for (const name of filters) if (values.text(name)) query.set(name, values.text(name))
        say(`${url.pathname}${query.size > 0 ? `?${query}` : ''}`)
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
}: {
  commits: readonly LineCommit[]
  at: AtPlace
  showsPipelines: boolean
}) {
  const { data: pipelines } = useApi(
    'GET /projects/:id/pipelines',
    showsPipelines && place.ref_type === 'branch'
      ? { id: place.id, ref: place.ref ?? '', per_page: 100 }
      : undefined,
  )
  const signatures = useSignatures(place.id, commits)
  const base = baseOf(place)
  const days = Map.groupBy(commits, ({ committed_date }) => day(new Date(committed_date)))
  return (
    <>
      {[...days].map(([name, ones]) => (
        <section key={name} class="stack stack-close">
          <h2 class="commit-list-day">{name}</h2>
          <List label={name}>
            {ones.map((commit) => {
              const pipeline = pipelines?.find(({ sha }) => sha === commit.id)
              return (
                <Row key={commit.id}>
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
                </Row>
              )
            })}
          </List>
        </section>
      ))}
    </>
  )
}
