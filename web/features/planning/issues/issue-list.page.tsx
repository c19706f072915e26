// The issues of a project, of a group and below it, or of all projects: filtered, changed one by one or many at once.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInGroup, useGroup } from '../../../api/group.ts'
import { useLiveList } from '../../../api/live-list.ts'
import type { BasicLabel, Issue } from '../../../api/operations.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, useApiUrl } from '../../../api/use-api.ts'
import {
  issueFilterInput,
  issueListInput,
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
import { issuables, issues as words } from '../../../text/issues.ts'
import { Chip } from '../../../ui/chip/chip.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { PlanningPage } from '../../../ui/page/planning.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { pathnameOf, placeBasePath } from '../../../ui/project-address.ts'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

const per_page = 30

const pageOf = ({ searchParams }: URL) => Number(searchParams.get('page') ?? 1)

/** What the list and the counts of its states read, by whose issues they are. */
function urlsOf({ place, url }: PageLocation): { list: string; counts: string } {
  const filter = parseIssuableFilter(url)
  const list = { ...issueListInput(filter), per_page, page: pageOf(url) }
  const counted = issueFilterInput(filter)
  if (place?.kind === 'project') {
    return {
      list: apiReadUrl('GET /projects/:id/issues', { id: place.id, ...list }),
      counts: apiReadUrl('GET /projects/:id/issues_statistics', { id: place.id, ...counted }),
    }
  }
  if (place?.kind === 'group') {
    return {
      list: apiReadUrl('GET /groups/:id/issues', { id: place.id, ...list, non_archived: true }),
      counts: apiReadUrl('GET /groups/:id/issues_statistics', { id: place.id, ...counted }),
    }
  }
  return {
    list: apiReadUrl('GET /issues', { ...list, scope: 'all', non_archived: true }),
    counts: apiReadUrl('GET /issues_statistics', { ...counted, scope: 'all' }),
  }
}

export const page: PageModule<PageLocation> = {
  calls: (at) => [urlsOf(at).list],
  View: ({ at }) => {
    if (at.place?.kind === 'project') return <ProjectIssues at={at} id={at.place.id} />
    if (at.place?.kind === 'group') return <GroupIssues at={at} id={at.place.id} />
    return <OwnIssues at={at} />
  },
}

/** Issues of all projects: what happens in all of them is too much to follow, but for what concerns the reader. */
function OwnIssues({ at }: { at: PageLocation }) {
  useLiveList('user', ['/api/v4/issues'])
  return <IssueList at={at} of={{ finds: issuableFilterFinders.all }} />
}

function ProjectIssues({ at, id }: { at: PageLocation; id: number }) {
  const { data: project } = useProject(id)
  useLiveList(`project_issues:${id}`, [`/api/v4/projects/${id}/issues`])
  if (project && !project.issues_enabled) return <NotFoundPage />
  const mayCreate = mayInProject(project, 'create_issues')
  return (
    <IssueList
      at={at}
      of={{
        finds: issuableFilterFinders.project(id),
        projectId: id,
        mayChange: mayInProject(project, 'write_labels'),
        newHref: mayCreate && at.place ? `${placeBasePath(at.place)}/-/issues/new` : undefined,
      }}
    />
  )
}

function GroupIssues({ at, id }: { at: PageLocation; id: number }) {
  const { data: group } = useGroup(id)
  useLiveList(`group_issues:${id}`, [`/api/v4/groups/${id}/issues`])
  const mayChange = mayInGroup(group, 'write_labels')
  return <IssueList at={at} of={{ finds: issuableFilterFinders.group(id), mayChange }} />
}

function IssueList({ at, of }: { at: PageLocation; of: IssuableListSource }) {
  const { projectId, newHref } = of
  const { list, counts } = urlsOf({ ...at, url: currentUrl.value })
  return (
    <PlanningPage
      place={at.place}
      title={words.title}
      actions={<NewIssuableButton words={words} href={newHref} />}
    >
      <States countsUrl={counts} state={parseIssuableFilter(currentUrl.value).state} />
      <IssuableList<Issue>
        kind="issue"
        url={list}
        words={words}
        of={of}
        change={({ project_id: id, iid: issue_iid }, changes) =>
          call('PUT /projects/:id/issues/:issue_iid', { id, issue_iid, ...changes })
        }
        stale="/api/v4/issues"
        row={(issue, selection) => (
          <IssuableRow
            key={issue.id}
            thing={issue}
            reference={projectId === undefined ? issue.references.full : `#${issue.iid}`}
            href={pathnameOf(issue.web_url)}
            labels={issue.labels as readonly BasicLabel[]}
            selection={selection}
            chips={issue.confidential ? <Chip tone="warning">{words.confidential}</Chip> : null}
          />
        )}
      >
        {newHref && projectId !== undefined ? <QuickAdd projectId={projectId} /> : null}
      </IssuableList>
    </PlanningPage>
  )
}

function States({ countsUrl, state }: { countsUrl: string; state: string }) {
  const { data } = useApiUrl<{
    statistics: { counts: Record<'all' | 'closed' | 'opened', number> }
  }>(countsUrl)
  const counts = data?.statistics.counts
  const tab = (name: 'opened' | 'closed' | 'all', label: string) => ({
    words: label,
    href: urlWithIssuableFilter(currentUrl.value, { state: name === 'opened' ? '' : name }),
    isHere: state === name,
  })
  return (
    <Tabs
      label={words.stateFilter}
      tabs={[
        tab('opened', counts ? words.open(counts.opened) : (issuables.states.opened ?? '')),
        tab('closed', counts ? words.closed(counts.closed) : (issuables.states.closed ?? '')),
        tab('all', counts ? words.all(counts.all) : words.allWord),
      ]}
    />
  )
}

function QuickAdd({ projectId }: { projectId: number }) {
  const [made, setMade] = useState(0)
  return (
    <Form
      key={made}
      isInline
      action={words.quickAddAction}
      label={words.quickAddAction}
      onSubmit={async (values) => {
        const issue = await call('POST /projects/:id/issues', {
          id: projectId,
          title: values.text('title'),
        })
        invalidate(`/api/v4/projects/${projectId}/issues`)
        showToast(words.added(issue.iid))
        setMade(made + 1)
      }}
    >
      <TextField
        isLabelHidden
        label={words.quickAdd}
        placeholder={words.quickAdd}
        name="title"
        required
        maxLength={255}
      />
    </Form>
  )
}
