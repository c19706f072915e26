import { useProject } from '../../../api/project.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { DiffView } from '../../../surfaces/diff/diff-view.tsx'
import { code, diffText, history } from '../../../text/code.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { Blank } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule, Place } from '../../../ui/page-module.ts'
import { baseOf, codeUrl } from '../../../ui/place.ts'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { CommitActions } from './commit-actions.tsx'
import { CommitNotes } from './commit-notes.tsx'
import './commit.css'

const inputOf = ({ id, commit }: Place) => ({ id, sha: commit ?? '', stats: true })

export const page: PageModule<AtPlace> = {
  calls: ({ place }) => [
    place.commit !== null && need('GET /projects/:id/repository/commits/:sha', inputOf(place)),
  ],
  View: CommitPage,
}

function CommitPage({ at: { place } }: { at: AtPlace }) {
  const base = baseOf(place)
  const { data: commit } = useApi(
    'GET /projects/:id/repository/commits/:sha',
    place.commit ? inputOf(place) : undefined,
  )
  const { data: project } = useProject(place.id)
  if (!commit) {
    return (
      <Page title={history.commits}>
        <Blank title={code.noRef} />
      </Page>
    )
  }
  const message = commit.message.slice(commit.message.indexOf('\n') + 1).trim()
  return (
    <Page
      title={commit.title}
      tab={`${commit.title} · ${commit.short_id}`}
      actions={
        <>
          <ButtonLink href={codeUrl(base, 'tree', commit.id)}>{history.browse}</ButtonLink>
          {project ? <CommitActions project={project} sha={commit.id} /> : null}
        </>
      }
    >
      {message !== '' && commit.message.includes('\n') ? (
        <pre class="commit-message">{message}</pre>
      ) : null}
      <div class="commit-facts row">
        <Avatar name={commit.author_name} />
        <strong>{commit.author_name}</strong>
        <Time at={commit.authored_date} />
        {commit.parent_ids.map((parent) => (
          <span key={parent}>
            {history.parent}{' '}
            <a class="mono" href={`${base}/-/commit/${parent}`}>
              {parent.slice(0, 8)}
            </a>
          </span>
        ))}
        <Signature place={place} />
        <Places place={place} base={base} />
        {commit.last_pipeline ? (
          <a href={`${base}/-/pipelines/${commit.last_pipeline.id}`}>
            <Status status={commit.last_pipeline.status} />
          </a>
        ) : null}
        {commit.stats ? (
          <span>
            <span class="diff-plus">{diffText.plus(commit.stats.additions)}</span>{' '}
            <span class="diff-minus">{diffText.minus(commit.stats.deletions)}</span>
          </span>
        ) : null}
      </div>
      <CopyLine label={history.copySha} text={commit.id} />
      <h2>{diffText.changedFiles}</h2>
      <DiffView
        url={`/api/v4/projects/${place.id}/repository/commits/${commit.id}/diff`}
        base={base}
        gitRef={commit.id}
      />
      {project ? <CommitNotes project={project} sha={commit.id} /> : null}
    </Page>
  )
}

function Signature({ place }: { place: Place }) {
  const { data } = useApi('GET /projects/:id/repository/commits/:sha/signature', {
    id: place.id,
    sha: place.commit ?? '',
  })
  if (!data) return null
  const isGood = data.verification_status === 'verified'
  return (
    <Chip tone={isGood ? 'passed' : 'warning'}>
      {isGood ? history.verified : history.unverified}
    </Chip>
  )
}

function Places({ place, base }: { place: Place; base: string }) {
  const { data } = useApi('GET /projects/:id/repository/commits/:sha/refs', {
    id: place.id,
    sha: place.commit ?? '',
    per_page: 10,
  })
  return (
    <>
      {data?.map(({ name, type }) => (
        <a key={`${type} ${name}`} href={codeUrl(base, 'tree', name)}>
          <Chip>{name}</Chip>
        </a>
      ))}
    </>
  )
}
