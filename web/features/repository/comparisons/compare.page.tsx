import { useMemo, useState } from 'preact/hooks'
import { readFileText } from '../../../api/file.ts'
import { findCachedProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, prefetchUrls, useApi } from '../../../api/use-api.ts'
import { Diff } from '../../../surfaces/diff/diff.tsx'
import { type DiffQuery, firstDiffTextsQuery } from '../../../surfaces/diff/diff-query.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { CommitLine, type LineCommit } from '../../../ui/commit-line/commit-line.tsx'
import { useSignatures } from '../../../ui/commit-line/use-signatures.ts'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { encodePath, navigate } from '../../../ui/navigation.ts'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefPicker } from '../../../ui/ref-picker/ref-picker.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'

/** Commits, which never change, stand for the names; two dots compare the tips themselves. */
function askedBy({ place }: PlaceLocation) {
  const { id, from_commit, commit, rest } = place
  if (!from_commit || !commit) return undefined
  const straight = !(rest ?? '').includes('...')
  return { id, from: from_commit, to: commit, ...(straight ? { straight } : {}) }
}

const diffUrl = (input: NonNullable<ReturnType<typeof askedBy>>, query: DiffQuery) =>
  apiReadUrl('GET /projects/:id/repository/compare/diffs', { ...input, ...query })

export const page: PageModule<PlaceLocation> = {
  // As forms of other pages have it: `?from=main&to=feature`.
  forward: async ({ place, url: { searchParams } }) => {
    const [from, to] = [searchParams.get('from'), searchParams.get('to')]
    if (place.rest || (!from && !to)) return undefined
    const project = findCachedProject(place.id)
    const usual = project?.default_branch ?? 'HEAD'
    const dots = searchParams.get('straight') === 'true' ? '..' : '...'
    return `${placeBasePath(place)}/-/compare/${encodePath(from || usual)}${dots}${encodePath(to || usual)}`
  },
  prepare: (at) => {
    const input = askedBy(at)
    return prefetchUrls(
      input
        ? [
            apiReadUrl('GET /projects/:id/repository/compare', input),
            diffUrl(input, firstDiffTextsQuery(at.url)),
          ]
        : [],
    )
  },
  View: ComparePage,
}

function ComparePage({ at }: { at: PlaceLocation }) {
  const { place } = at
  const { data: project } = useProject(place.id)
  const base = placeBasePath(place)
  const usual = project?.default_branch ?? ''
  const [given = '', asked = ''] = (place.rest ?? '').split(/\.{2,3}/)
  const from = place.from || given || usual
  const to = place.ref || asked || usual
  const go = (one: string, other: string) =>
    navigate(`${base}/-/compare/${encodePath(one)}...${encodePath(other)}`)
  const input = askedBy(at)
  return (
    <Page title={repository.compareTitle} tab={`${from}...${to}`} isWide>
      <div class="row">
        <RefPicker
          projectId={place.id}
          now={from}
          label={repository.compareFrom}
          onPick={(name) => go(name, to)}
        />
        <Button onClick={() => go(to, from)}>{repository.swap}</Button>
        <RefPicker
          projectId={place.id}
          now={to}
          label={repository.compareTo}
          onPick={(name) => go(from, name)}
        />
      </div>
      {input ? <Comparison key={`${input.from} ${input.to}`} input={input} base={base} /> : null}
      {!input && place.rest ? <EmptyState title={repository.compareNotFound} /> : null}
    </Page>
  )
}

function Comparison({
  input,
  base,
}: {
  input: NonNullable<ReturnType<typeof askedBy>>
  base: string
}) {
  const { data, refusal, again } = useApi('GET /projects/:id/repository/compare', input)
  const { data: ancestor } = useApi('GET /projects/:id/repository/merge_base', {
    id: input.id,
    refs: [input.from, input.to],
  })
  if (refusal && !data) return <RefusalNote refusal={refusal} onAgain={again} />
  if (!data) return <LoadingRows rows={8} />
  const head = data.commits.at(-1)?.id
  return (
    <>
      {data.compare_timeout ? <p class="muted">{repository.compareTimedOut}</p> : null}
      {ancestor ? (
        <p class="muted">
          {repository.mergeBase}{' '}
          <a class="mono" href={`${base}/-/commit/${ancestor.id}`}>
            {ancestor.short_id}
          </a>{' '}
          {ancestor.title}
        </p>
      ) : null}
      {data.commits.length > 0 ? (
        <Commits commits={data.commits} projectId={input.id} base={base} />
      ) : null}
      <Section title={repository.files}>
        <Diff
          urlOf={(query) => diffUrl(input, query)}
          fileHref={(path) => repositoryPageUrl(base, 'blob', input.to, path)}
          rawHref={(path, side) => {
            const before = input.straight ? input.from : ancestor?.id
            const sha = side === 'after' ? input.to : before
            return sha && repositoryPageUrl(base, 'raw', sha, path)
          }}
          readText={head ? (path) => readFileText({ id: input.id, path, commit: head }) : undefined}
        />
      </Section>
    </>
  )
}

const commits_max = 100
/** As many are shown before the files; all others by a press. */
const first_commits = 8

/** The newest first, as far as one reads them. */
function Commits({
  commits,
  projectId,
  base,
}: {
  commits: readonly LineCommit[]
  projectId: number
  base: string
}) {
  const [isWhole, setWhole] = useState(commits.length <= first_commits)
  const shown = useMemo(
    () => commits.slice(isWhole ? -commits_max : -first_commits).reverse(),
    [commits, isWhole],
  )
  const signatures = useSignatures(projectId, shown)
  return (
    <Section title={repository.commitsCount(commits.length)}>
      <List label={repository.commits}>
        {shown.map((commit) => (
          <ListRow key={commit.id}>
            <CommitLine
              commit={commit}
              base={base}
              signed={signatures.get(commit.id)?.verification_status}
            />
          </ListRow>
        ))}
      </List>
      {isWhole ? null : (
        <Button onClick={() => setWhole(true)}>
          {repository.showAllCommits(Math.min(commits.length, commits_max))}
        </Button>
      )}
      {isWhole && shown.length < commits.length ? (
        <p class="muted">{repository.newestShown(shown.length)}</p>
      ) : null}
    </Section>
  )
}
