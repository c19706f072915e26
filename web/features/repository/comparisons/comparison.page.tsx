import { useState } from 'preact/hooks'
import { useProject } from '../../../api/project.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { DiffView } from '../../../surfaces/diff/diff-view.tsx'
import { code, diffText, history } from '../../../text/code.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { RefPicker } from '../../../ui/combobox/ref-picker.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { encodePath, navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule, Place } from '../../../ui/page-module.ts'
import { baseOf } from '../../../ui/place.ts'
import { Time } from '../../../ui/time/time.tsx'

const inputOf = ({ id, from_commit, commit }: Place) => ({
  id,
  from: from_commit ?? '',
  to: commit ?? '',
})

export const page: PageModule<AtPlace> = {
  calls: ({ place }) => [
    place.from_commit !== null && need('GET /projects/:id/repository/compare', inputOf(place)),
  ],
  View: Comparison,
}

function Comparison({ at: { place } }: { at: AtPlace }) {
  const base = baseOf(place)
  const { data: project } = useProject(place.id)
  const [asked = '', other = ''] = (place.rest ?? '').split(/\.{2,3}/)
  const [from, setFrom] = useState(place.from ?? (asked || project?.default_branch) ?? '')
  const [to, setTo] = useState(place.ref ?? other)
  const { data } = useApi(
    'GET /projects/:id/repository/compare',
    place.from_commit ? inputOf(place) : undefined,
  )
  const go = (one: string, two: string) =>
    navigate(`${base}/-/compare/${encodePath(one)}...${encodePath(two)}`)
  return (
    <Page
      title={history.compare}
      tab={place.from ? `${place.from}...${place.ref}` : history.compare}
    >
      <div class="row">
        <RefPicker projectId={place.id} value={from} label={history.compareFrom} onPick={setFrom} />
        <RefPicker projectId={place.id} value={to} label={history.compareTo} onPick={setTo} />
        <Button look="primary" onClick={() => go(from, to)}>
          {history.compare}
        </Button>
        <Button
          onClick={() => {
            setFrom(to)
            setTo(from)
            if (from && to) go(to, from)
          }}
        >
          {history.swap}
        </Button>
      </div>
      {place.rest && !place.from_commit ? <Blank title={code.noRef} /> : null}
      {data?.compare_same_ref ? <Blank title={history.same} /> : null}
      {data && !data.compare_same_ref ? (
        <>
          <h2>{history.ahead(data.commits.length)}</h2>
          <List label={history.commits}>
            {data.commits.map((commit) => (
              <Row
                key={commit.id}
                aside={
                  <>
                    <span class="mono">{commit.short_id}</span>
                    <span>{commit.author_name}</span>
                    <Time at={commit.committed_date} />
                  </>
                }
              >
                <a data-main href={`${base}/-/commit/${commit.id}`}>
                  {commit.title}
                </a>
              </Row>
            ))}
          </List>
          <h2>{diffText.changedFiles}</h2>
          <DiffView
            url={`/api/v4/projects/${place.id}/repository/compare/diffs?from=${place.from_commit}&to=${place.commit}`}
            base={base}
            gitRef={place.commit ?? ''}
          />
        </>
      ) : null}
    </Page>
  )
}
