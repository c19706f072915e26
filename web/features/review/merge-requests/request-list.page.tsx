// The merge requests of a project, of a group and below it, or of all projects.
import { call } from '../../../api/call.ts'
import { mayInGroup, useGroup } from '../../../api/group.ts'
import { useLiveList } from '../../../api/live-list.ts'
import type { BasicLabel, BasicMergeRequest } from '../../../api/operations.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl } from '../../../api/use-api.ts'
import type { RowSelection } from '../../../surfaces/issuable/bulk.tsx'
import {
  mergeRequestListInput,
  parseIssuableFilter,
  urlWithIssuableFilter,
} from '../../../surfaces/issuable/filter.ts'
import { issuableFilterFinders } from '../../../surfaces/issuable/issuable-filter-finders.ts'
import {
  IssuableList,
  type IssuableListSource,
  NewIssuableButton,
} from '../../../surfaces/issuable/list.tsx'
import { IssuableRow } from '../../../surfaces/issuable/row.tsx'
import { requests as words } from '../../../text/merge-requests.ts'
import { Chip } from '../../../ui/chip/chip.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { pathnameOf, placeBasePath } from '../../../ui/project-address.ts'
import { Tabs } from '../../../ui/tabs/tabs.tsx'

const per_page = 30

function listUrl({ place, url }: PageLocation): string {
  const input = {
    ...mergeRequestListInput(parseIssuableFilter(url)),
    per_page,
    page: Number(url.searchParams.get('page') ?? 1),
  }
  if (place?.kind === 'project') {
    return apiReadUrl('GET /projects/:id/merge_requests', { id: place.id, ...input })
  }
  if (place?.kind === 'group') {
    return apiReadUrl('GET /groups/:id/merge_requests', { id: place.id, ...input })
  }
  return apiReadUrl('GET /merge_requests', { ...input, scope: 'all' })
}

export const page: PageModule<PageLocation> = {
  calls: (at) => [listUrl(at)],
  View: ({ at }) => {
    if (at.place?.kind === 'project') return <ProjectRequests at={at} id={at.place.id} />
    if (at.place?.kind === 'group') return <GroupRequests at={at} id={at.place.id} />
    return <OwnRequests at={at} />
  },
}

/** Merge requests of all projects: what happens in all of them is too much to follow, but for what concerns the reader. */
function OwnRequests({ at }: { at: PageLocation }) {
  useLiveList('user', ['/api/v4/merge_requests'])
  return <RequestList at={at} of={{ finds: issuableFilterFinders.all }} />
}

function ProjectRequests({ at, id }: { at: PageLocation; id: number }) {
  const { data: project } = useProject(id)
  useLiveList(`project_merge_requests:${id}`, [`/api/v4/projects/${id}/merge_requests`])
  const mayCreate = mayInProject(project, 'create_merge_requests')
  return (
    <RequestList
      at={at}
      of={{
        finds: issuableFilterFinders.project(id),
        projectId: id,
        mayChange: mayInProject(project, 'push_code'),
        newHref:
          mayCreate && at.place ? `${placeBasePath(at.place)}/-/merge_requests/new` : undefined,
      }}
    />
  )
}

function GroupRequests({ at, id }: { at: PageLocation; id: number }) {
  const { data: group } = useGroup(id)
  useLiveList(`group_merge_requests:${id}`, [`/api/v4/groups/${id}/merge_requests`])
  const mayChange = mayInGroup(group, 'write_labels')
  return <RequestList at={at} of={{ finds: issuableFilterFinders.group(id), mayChange }} />
}

function RequestList({ at, of }: { at: PageLocation; of: IssuableListSource }) {
  const url = currentUrl.value
  const filter = parseIssuableFilter(url)
  const tab = (state: string, name: string) => ({
    words: name,
    href: urlWithIssuableFilter(url, { state: state === 'opened' ? '' : state }),
    isHere: filter.state === state,
  })
  return (
    <Page title={words.title} actions={<NewIssuableButton words={words} href={of.newHref} />}>
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
  selection: RowSelection<BasicMergeRequest> | undefined
}) {
  const { draft, source_branch, target_branch, has_conflicts, state } = request
  return (
    <IssuableRow
      thing={request}
      reference={isWithProject ? request.references.full : `!${request.iid}`}
      href={pathnameOf(request.web_url)}
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
