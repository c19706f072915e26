import { need, useApi } from '../../../api/use-api.ts'
import { code, history } from '../../../text/code.ts'
import { day } from '../../../text/numbers.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CodeBar } from '../../../ui/code-bar/code-bar.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { here, say, withQuery } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf, codeUrl } from '../../../ui/place.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'

function inputOf({ place, url: { searchParams } }: AtPlace) {
  const asked = (name: string) => searchParams.get(name) || undefined
  return {
    id: place.id,
    ref_name: place.commit ?? place.rest ?? '',
    ...(place.path ? { path: place.path } : {}),
    ...(asked('author') ? { author: asked('author') } : {}),
    ...(asked('since') ? { since: asked('since') } : {}),
    ...(asked('until') ? { until: asked('until') } : {}),
    per_page: 40,
    page: Number(searchParams.get('page') ?? 1),
  }
}

export const page: PageModule<AtPlace> = {
  calls: (at) => [
    at.place.commit !== null && need('GET /projects/:id/repository/commits', inputOf(at)),
  ],
  View: CommitList,
}

function CommitList({ at }: { at: AtPlace }) {
  const { place } = at
  const base = baseOf(place)
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /projects/:id/repository/commits', place.commit ? inputOf(at) : undefined)
  const days = Object.entries(
    Object.groupBy(data ?? [], ({ committed_date }) => day(new Date(committed_date))),
  )
  return (
    <Page
      title={place.path ? history.of(place.path) : history.commits}
      tab={`${history.commits} · ${place.ref ?? ''}`}
    >
      <CodeBar place={place}>
        <ButtonLink href={`${base}/-/compare`}>{history.compare}</ButtonLink>
      </CodeBar>
      <Filter />
      {place.commit ? null : <Blank title={code.noRef} />}
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {place.commit && !data && !refusal ? <Waiting /> : null}
      {data?.length === 0 ? <Blank title={history.none} /> : null}
      {days.map(([name, commits = []]) => (
        <section key={name} class="stack stack-close">
          <h2>{name}</h2>
          <List label={name}>
            {commits.map((commit) => (
              <Row
                key={commit.id}
                aside={
                  <>
                    <a class="mono" href={`${base}/-/commit/${commit.id}`}>
                      {commit.short_id}
                    </a>
                    <a href={codeUrl(base, 'tree', commit.id)}>{history.browse}</a>
                  </>
                }
              >
                <a data-main href={`${base}/-/commit/${commit.id}`}>
                  {commit.title}
                </a>
                <p class="row muted">
                  <Avatar name={commit.author_name} size={20} />
                  <span>{commit.author_name}</span>
                  <Time at={commit.committed_date} />
                </p>
              </Row>
            ))}
          </List>
        </section>
      ))}
      <Pager page={pages} />
    </Page>
  )
}

function Filter() {
  const { searchParams } = here.value
  const change = (name: string) => (event: { currentTarget: { value: string } }) =>
    say(withQuery({ [name]: event.currentTarget.value, page: undefined }))
  return (
    <div class="row">
      <TextField
        label={history.author}
        type="search"
        value={searchParams.get('author') ?? ''}
        onChange={change('author')}
      />
      <TextField
        label={history.since}
        type="date"
        value={searchParams.get('since') ?? ''}
        onChange={change('since')}
      />
      <TextField
        label={history.until}
        type="date"
        value={searchParams.get('until') ?? ''}
        onChange={change('until')}
      />
    </div>
  )
}
