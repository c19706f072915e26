import type { Answer } from '../../../api/call.ts'
import { readFileText } from '../../../api/file.ts'
import { useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useAllPages, useApi } from '../../../api/use-api.ts'
import { Diff } from '../../../surfaces/diff/diff.tsx'
import { firstDiffTextsQuery } from '../../../surfaces/diff/diff-query.ts'
import { repository } from '../../../text/repository.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { useSignatures } from '../../../ui/commit-line/use-signatures.ts'
import { CopyButton } from '../../../ui/copy-line/copy-line.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { CommitActions } from './commit-actions.tsx'
import { CommitNotes } from './commit-notes.tsx'
import './commit.css'

type Commit = Answer<'GET /projects/:id/repository/commits/:sha'>

const shaOf = ({ place }: PlaceLocation) => place.commit ?? place.rest ?? ''
const inputOf = (at: PlaceLocation) => ({ id: at.place.id, sha: shaOf(at) })

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [
    apiReadUrl('GET /projects/:id/repository/commits/:sha', inputOf(at)),
    apiReadUrl('GET /projects/:id/repository/commits/:sha/diff', {
      ...inputOf(at),
      ...firstDiffTextsQuery(at.url),
    }),
  ],
  View: CommitPage,
}

function CommitPage({ at }: { at: PlaceLocation }) {
  const input = inputOf(at)
  const { data: commit } = useApi('GET /projects/:id/repository/commits/:sha', input)
  const { data: project } = useProject(at.place.id)
  if (!commit) return null
  const base = placeBasePath(at.place)
  const [, ...body] = commit.message.split('\n')
  const text = body.join('\n').trim()
  return (
    <Page
      title={commit.title || repository.noMessage}
      tab={`${commit.title} · ${commit.short_id}`}
      isWide
      actions={
        <>
          <ButtonLink href={repositoryPageUrl(base, 'tree', commit.id)}>
            {repository.viewCode}
          </ButtonLink>
          {project ? <CommitActions project={project} sha={commit.id} /> : null}
        </>
      }
    >
      <div class="commit">
        {text === '' ? null : <pre class="commit-text">{text}</pre>}
        <Who commit={commit} />
        <dl class="commit-facts">
          <dt>{repository.commit}</dt>
          <dd class="row">
            <code>{commit.id}</code>
            <CopyButton text={commit.id} label={repository.copySha} />
          </dd>
          {commit.parent_ids.length > 0 ? (
            <>
              <dt>{repository.parents(commit.parent_ids.length)}</dt>
              <dd class="row">
                {commit.parent_ids.map((parent) => (
                  <a key={parent} class="mono" href={`${base}/-/commit/${parent}`}>
                    {parent.slice(0, 8)}
                  </a>
                ))}
              </dd>
            </>
          ) : null}
          <Refs input={input} base={base} />
          <Statuses input={input} commit={commit} base={base} />
          <Signature input={input} />
        </dl>
      </div>
      <Diff
        urlOf={(query) =>
          apiReadUrl('GET /projects/:id/repository/commits/:sha/diff', { ...input, ...query })
        }
        fileHref={(path) => repositoryPageUrl(base, 'blob', commit.id, path)}
        rawHref={(path, side) => {
          const sha = side === 'after' ? commit.id : commit.parent_ids[0]
          return sha && repositoryPageUrl(base, 'raw', sha, path)
        }}
        readText={(path) => readFileText({ id: input.id, path, commit: commit.id })}
      />
      {project ? <CommitNotes project={project} sha={commit.id} /> : null}
    </Page>
  )
}

function Who({ commit }: { commit: Commit }) {
  const isOther = commit.author_email !== commit.committer_email
  return (
    <p class="row">
      <Avatar name={commit.author_name} />
      <strong>{commit.author_name}</strong>
      <span class="muted">{commit.author_email}</span>
      <Time at={commit.authored_date} />
      {isOther ? (
        <span class="muted">
          {repository.committedBy(commit.committer_name)} <Time at={commit.committed_date} />
        </span>
      ) : null}
    </p>
  )
}

type Input = { id: number; sha: string }

function Refs({ input, base }: { input: Input; base: string }) {
  const { data } = useApi('GET /projects/:id/repository/commits/:sha/refs', {
    ...input,
    type: 'all',
    per_page: 20,
  })
  if (!data || data.length === 0) return null
  return (
    <>
      <dt>{repository.branchesAndTags}</dt>
      <dd class="row">
        {data.map(({ type, name }) => (
          <a
            key={`${type} ${name}`}
            class="chip commit-ref"
            href={repositoryPageUrl(base, 'tree', name)}
          >
            {type === 'tag' ? `${repository.tag} ${name}` : name}
          </a>
        ))}
      </dd>
    </>
  )
}

function Statuses({ input, commit, base }: { input: Input; commit: Commit; base: string }) {
  const { data } = useAllPages(
    'GET /projects/:id/repository/commits/:sha/statuses',
    user.value ? { ...input, per_page: 100 } : undefined,
  )
  const pipeline = commit.last_pipeline
  if (!pipeline && !data?.length) return null
  return (
    <>
      <dt>{repository.statuses}</dt>
      <dd class="row">
        {pipeline ? (
          <a href={`${base}/-/pipelines/${pipeline.id}`}>
            <Status status={pipeline.status} />
          </a>
        ) : null}
        {data?.map(({ id, name, status }) => (
          <span key={id} class="row commit-status">
            <Status status={status} isQuiet /> {name}
          </span>
        ))}
      </dd>
    </>
  )
}

function Signature({ input: { id, sha } }: { input: Input }) {
  const signature = useSignatures(id, [{ id: sha }]).get(sha)
  if (!signature) return null
  const status = signature.verification_status
  return (
    <>
      <dt>{signature.signature_type}</dt>
      <dd>
        <Chip tone={status === 'verified' ? 'passed' : 'warning'}>
          {repository.signature[status] ?? status}
        </Chip>
      </dd>
    </>
  )
}
