import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord, useProject } from '../../../api/project.ts'
import { apiReadUrl, readCached, useApi } from '../../../api/use-api.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { encodePath } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { BranchActions, RemoveBranch } from './branch-actions.tsx'
import './branch-list.css'

type Branch = Answer<'GET /projects/:id/repository/branches'>[number]

const inputOf = ({ place, url: { searchParams } }: PlaceLocation) => ({
  id: place.id,
  per_page: 20,
  page: Number(searchParams.get('page') ?? 1),
  sort: 'updated_desc' as const,
  ...(searchParams.get('search') ? { search: searchParams.get('search') ?? '' } : {}),
})

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/repository/branches', inputOf(at))],
  View: BranchList,
}

function BranchList({ at }: { at: PlaceLocation }) {
  const shown = useApi('GET /projects/:id/repository/branches', inputOf(at))
  const { data: branches, page: pages, refusal, again } = shown
  const { data: project } = useProject(at.place.id)
  const counts = useCounts(at.place.id, project?.default_branch, branches)
  const { data: pipelines } = useApi(
    'GET /projects/:id/pipelines',
    mayInProject(project, 'read_pipelines')
      ? { id: at.place.id, scope: 'branches', per_page: 100 }
      : undefined,
  )
  return (
    <Page title={repository.branches} actions={<BranchActions at={at} project={project} />}>
      <SearchField label={repository.searchBranches} />
      {refusal && !branches ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {branches || refusal ? null : <LoadingRows />}
      {branches?.length === 0 ? <EmptyState title={repository.noMatchingBranches} /> : null}
      {branches && branches.length > 0 ? (
        <List label={repository.branches}>
          {branches.map((branch) => (
            <BranchRow
              key={branch.name}
              branch={branch}
              base={placeBasePath(at.place)}
              counts={counts.get(branch.name)}
              pipeline={pipelines?.find(
                ({ ref, sha }) => ref === branch.name && sha === branch.commit.id,
              )}
              usual={project?.default_branch ?? ''}
              project={project}
            />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Page>
  )
}

function BranchRow({
  branch,
  base,
  counts,
  pipeline,
  usual,
  project,
}: {
  branch: Branch
  base: string
  counts: Counts | undefined
  pipeline: { id: number; status: string } | undefined
  usual: string
  project: ProjectRecord | undefined
}) {
  const { name, commit } = branch
  return (
    <ListRow
      aside={
        <>
          {pipeline ? (
            <a href={`${base}/-/pipelines/${pipeline.id}`}>
              <Status status={pipeline.status} />
            </a>
          ) : null}
          {branch.default ? null : (
            <a
              class="branch-list-counts"
              href={`${base}/-/compare/${encodePath(usual)}...${encodePath(name)}`}
            >
              {counts ? (
                <>
                  {repository.behind(counts.behind)} · {repository.ahead(counts.ahead)}
                </>
              ) : (
                repository.compare
              )}
            </a>
          )}
          <Time at={commit.committed_date} />
          <RemoveBranch project={project} branch={branch} />
        </>
      }
    >
      <span class="row">
        <a data-main class="branch-list-name" href={repositoryPageUrl(base, 'tree', name)}>
          {name}
        </a>
        {branch.default ? <Chip>{repository.default}</Chip> : null}
        {branch.protected ? <Chip>{repository.protected}</Chip> : null}
        {branch.merged ? <Chip tone="passed">{repository.merged}</Chip> : null}
      </span>
      <p class="muted one-line">
        <a class="mono branch-list-id" href={`${base}/-/commit/${commit.id}`}>
          {commit.short_id}
        </a>{' '}
        {commit.title}
      </p>
    </ListRow>
  )
}

type Counts = { ahead: number; behind: number }

/** Counted up to so many: beyond, it is far away. */
const counted_max = 100

/** How far each branch is from the default one, one branch after the other, once they are shown. */
function useCounts(
  id: number,
  usual: string | null | undefined,
  branches: readonly Branch[] | undefined,
): ReadonlyMap<string, Counts> {
  const [counts, setCounts] = useState<ReadonlyMap<string, Counts>>(new Map())
  useEffect(() => {
    let isOver = false
    const countAll = async () => {
      for (const { name, commit, default: isUsual } of branches ?? []) {
        if (isUsual || !usual) continue
        const [ahead, behind] = await Promise.all([
          countCommits(id, `${usual}..${commit.id}`),
          countCommits(id, `${commit.id}..${usual}`),
        ])
        if (isOver) return
        setCounts((before) => new Map(before).set(name, { ahead, behind }))
      }
    }
    void countAll().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [id, usual, branches])
  return counts
}

async function countCommits(id: number, range: string): Promise<number> {
  const input = { id, ref_name: range, per_page: counted_max }
  return (await readCached('GET /projects/:id/repository/commits', input)).length
}
