// The merge requests of a project, of a group and below it, or of all projects.
import { touch } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInGroup, useGroup } from '../../../api/group.ts'
import { useLive } from '../../../api/live.ts'
import type { BasicLabel, BasicMergeRequest } from '../../../api/operations.ts'
import { may, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { need, useUrl } from '../../../api/use-api.ts'
import { BulkBar, useSelection } from '../../../surfaces/issuable/bulk.tsx'
import {
  isNarrowed,
  readFilter,
  requestListInput,
  withFilter,
} from '../../../surfaces/issuable/filter.ts'
import { FilterBar, type Finds } from '../../../surfaces/issuable/filter-bar.tsx'
import { IssuableRow } from '../../../surfaces/issuable/row.tsx'
import { requests as words } from '../../../text/merge-requests.ts'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import {
  findGroupLabels,
  findGroupMilestones,
  findLabels,
  findMilestones,
  findPeople,
  findProjectUsers,
} from '../../../ui/combobox/finds.ts'
import { List } from '../../../ui/list/list.tsx'
import { here } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { At, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf, pathOf } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'

const per_page = 30

function listUrl({ place, url }: At): string {
  const input = {
    ...requestListInput(readFilter(url)),
    per_page,
    page: Number(url.searchParams.get('page') ?? 1),
  }
  if (place?.kind === 'project') {
    return need('GET /projects/:id/merge_requests', { id: place.id, ...input })
  }
  if (place?.kind === 'group') {
    return need('GET /groups/:id/merge_requests', { id: place.id, ...input })
  }
  return need('GET /merge_requests', { ...input, scope: 'all' })
}

export const page: PageModule<At> = {
  calls: (at) => [listUrl(at)],
  View: ({ at }) => {
    if (at.place?.kind === 'project') return <ProjectRequests at={at} id={at.place.id} />
    if (at.place?.kind === 'group') return <GroupRequests at={at} id={at.place.id} />
    return <RequestList at={at} finds={allFinds} />
  },
}

const nothing = async () => []
const allFinds: Finds = { people: findPeople, labels: nothing, milestones: nothing }

function ProjectRequests({ at, id }: { at: At; id: number }) {
  const { data: project } = useProject(id)
  useLive(`project:${id}`, [`/api/v4/projects/${id}/merge_requests`])
  const finds = {
    people: findProjectUsers(id),
    labels: findLabels(id),
    milestones: findMilestones(id),
  }
  const mayCreate = may(project, 'create_merge_requests')
  return (
    <RequestList
      at={at}
      finds={finds}
      projectId={id}
      mayChange={may(project, 'push_code')}
      newHref={mayCreate && at.place ? `${baseOf(at.place)}/-/merge_requests/new` : undefined}
    />
  )
}

function GroupRequests({ at, id }: { at: At; id: number }) {
  const { data: group } = useGroup(id)
  const finds = {
    people: findPeople,
    labels: findGroupLabels(id),
    milestones: findGroupMilestones(id),
  }
  return <RequestList at={at} finds={finds} mayChange={mayInGroup(group, 'write_labels')} />
}

function RequestList({
  at,
  finds,
  projectId,
  mayChange = false,
  newHref,
}: {
  at: At
  finds: Finds
  projectId?: number
  mayChange?: boolean
  newHref?: string | undefined
}) {
  const url = here.value
  const { data, page: pages, refusal, again } = useUrl<BasicMergeRequest[]>(listUrl({ ...at, url }))
  const filter = readFilter(url)
  const selection = useSelection(data ?? [])
  const tab = (state: string, name: string) => ({
    words: name,
    href: withFilter(url, { state: state === 'opened' ? '' : state }),
    isHere: filter.state === state,
  })
  return (
    <Page
      title={words.title}
      actions={
        newHref ? (
          <ButtonLink look="primary" href={newHref}>
            {words.new}
          </ButtonLink>
        ) : null
      }
    >
      <Tabs
        label={words.stateFilter}
        tabs={[
          tab('opened', words.open),
          tab('merged', words.merged),
          tab('closed', words.closed),
          tab('all', words.all),
        ]}
      />
      <FilterBar kind="merge_request" searchLabel={words.search} finds={finds} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <Waiting />}
      {data?.length === 0 ? (
        isNarrowed(filter) || filter.state !== 'opened' ? (
          <Blank title={words.noMatches}>
            <p>{words.noMatchesText}</p>
          </Blank>
        ) : (
          <Blank title={words.empty}>
            <p>{words.emptyText}</p>
            {newHref ? (
              <ButtonLink look="primary" href={newHref}>
                {words.new}
              </ButtonLink>
            ) : null}
          </Blank>
        )
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((request) => (
            <RequestRow
              key={request.id}
              request={request}
              isWithProject={projectId === undefined}
              selection={mayChange && user.value ? selection : undefined}
            />
          ))}
        </List>
      ) : null}
      {mayChange ? (
        <BulkBar
          selection={selection}
          finds={finds}
          change={(request, changes) =>
            call('PUT /projects/:id/merge_requests/:merge_request_iid', {
              id: request.project_id,
              merge_request_iid: request.iid,
              ...changes,
            })
          }
          onDone={() => touch('/api/v4/projects/', '/api/v4/groups/', '/api/v4/merge_requests')}
        />
      ) : null}
      <Pager page={pages} />
    </Page>
  )
}

function RequestRow({
  request,
  isWithProject,
  selection,
}: {
  request: BasicMergeRequest
  isWithProject: boolean
  selection: ReturnType<typeof useSelection<BasicMergeRequest>> | undefined
}) {
  const { draft, source_branch, target_branch, has_conflicts, state } = request
  return (
    <IssuableRow
      thing={request}
      reference={isWithProject ? request.references.full : `!${request.iid}`}
      href={pathOf(request.web_url)}
      labels={request.labels as readonly BasicLabel[]}
      selection={selection}
      chips={draft ? <Chip>{words.draft}</Chip> : null}
      more={<span class="mono">{words.branchesOf(source_branch, target_branch)}</span>}
      status={
        has_conflicts && state === 'opened' ? <Chip tone="warning">{words.conflicts}</Chip> : null
      }
    />
  )
}
