// The merge requests of a project, of a group and below it, or of all projects.
import { call } from '../../../api/call.ts'
import { mayInGroup, useGroup } from '../../../api/group.ts'
import { useLiveList } from '../../../api/live-list.ts'
import type { BasicLabel, BasicMergeRequest } from '../../../api/operations.ts'
import { may, useProject } from '../../../api/project.ts'
import { need } from '../../../api/use-api.ts'
import type { Selection } from '../../../surfaces/issuable/bulk.tsx'
import { readFilter, requestListInput, withFilter } from '../../../surfaces/issuable/filter.ts'
import { finds } from '../../../surfaces/issuable/finds.ts'
import { IssuableList, type ListOf, NewButton } from '../../../surfaces/issuable/list.tsx'
import { IssuableRow } from '../../../surfaces/issuable/row.tsx'
import { requests as words } from '../../../text/merge-requests.ts'
import { Chip } from '../../../ui/chip/chip.tsx'
import { here } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { At, PageModule } from '../../../ui/page-module.ts'
import { baseOf, pathOf } from '../../../ui/project-address.ts'
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
    return <OwnRequests at={at} />
  },
}

/** Merge requests of all projects: what happens in all of them is too much to follow, but for what concerns the reader. */
function OwnRequests({ at }: { at: At }) {
  useLiveList('user', ['/api/v4/merge_requests'])
  return <RequestList at={at} of={{ finds: finds.all }} />
}

function ProjectRequests({ at, id }: { at: At; id: number }) {
  const { data: project } = useProject(id)
  useLiveList(`project_merge_requests:${id}`, [`/api/v4/projects/${id}/merge_requests`])
  const mayCreate = may(project, 'create_merge_requests')
  return (
    <RequestList
      at={at}
      of={{
        finds: finds.project(id),
        projectId: id,
        mayChange: may(project, 'push_code'),
        newHref: mayCreate && at.place ? `${baseOf(at.place)}/-/merge_requests/new` : undefined,
      }}
    />
  )
}

function GroupRequests({ at, id }: { at: At; id: number }) {
  const { data: group } = useGroup(id)
  useLiveList(`group_merge_requests:${id}`, [`/api/v4/groups/${id}/merge_requests`])
  const mayChange = mayInGroup(group, 'write_labels')
  return <RequestList at={at} of={{ finds: finds.group(id), mayChange }} />
}

function RequestList({ at, of }: { at: At; of: ListOf }) {
  const url = here.value
  const filter = readFilter(url)
  const tab = (state: string, name: string) => ({
    words: name,
    href: withFilter(url, { state: state === 'opened' ? '' : state }),
    isHere: filter.state === state,
  })
  return (
    <Page title={words.title} actions={<NewButton words={words} href={of.newHref} />}>
      <Tabs
        label={words.stateFilter}
        tabs={[
          tab('opened', words.open),
          tab('merged', words.merged),
          tab('closed', words.closed),
          tab('all', words.all),
        ]}
      />
      <IssuableList<BasicMergeRequest>
        kind="merge_request"
        url={listUrl({ ...at, url })}
        words={words}
        of={of}
        change={({ project_id: id, iid: merge_request_iid }, changes) =>
          call('PUT /projects/:id/merge_requests/:merge_request_iid', {
            id,
            merge_request_iid,
            ...changes,
          })
        }
        stale="/api/v4/merge_requests"
        row={(request, selection) => (
          <RequestRow
            key={request.id}
            request={request}
            isWithProject={of.projectId === undefined}
            selection={selection}
          />
        )}
      />
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
  selection: Selection<BasicMergeRequest> | undefined
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
