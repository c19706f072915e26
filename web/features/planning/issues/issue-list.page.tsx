// The issues of a project, of a group and below it, or of all projects: filtered, changed one by one or many at once.
import { useState } from 'preact/hooks'
import { touch } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInGroup, useGroup } from '../../../api/group.ts'
import { useLive } from '../../../api/live.ts'
import type { BasicLabel, Issue } from '../../../api/operations.ts'
import { may, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { need, useUrl } from '../../../api/use-api.ts'
import { BulkBar, useSelection } from '../../../surfaces/issuable/bulk.tsx'
import {
  isNarrowed,
  issueFilterInput,
  issueListInput,
  readFilter,
  withFilter,
} from '../../../surfaces/issuable/filter.ts'
import { FilterBar, type Finds } from '../../../surfaces/issuable/filter-bar.tsx'
import { IssuableRow } from '../../../surfaces/issuable/row.tsx'
import { issuables, issues as words } from '../../../text/issues.ts'
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
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List } from '../../../ui/list/list.tsx'
import { here } from '../../../ui/navigation.ts'
import { PlanningPage } from '../../../ui/page/planning.tsx'
import type { At, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf, pathOf } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { tell } from '../../../ui/toast/toast.tsx'

const per_page = 30

const pageOf = ({ searchParams }: URL) => Number(searchParams.get('page') ?? 1)

/** What the list and the counts of its states read, by whose issues they are. */
function urlsOf({ place, url }: At): { list: string; counts: string } {
  const filter = readFilter(url)
  const list = { ...issueListInput(filter), per_page, page: pageOf(url) }
  const counted = issueFilterInput(filter)
  if (place?.kind === 'project') {
    return {
      list: need('GET /projects/:id/issues', { id: place.id, ...list }),
      counts: need('GET /projects/:id/issues_statistics', { id: place.id, ...counted }),
    }
  }
  if (place?.kind === 'group') {
    return {
      list: need('GET /groups/:id/issues', { id: place.id, ...list, non_archived: true }),
      counts: need('GET /groups/:id/issues_statistics', { id: place.id, ...counted }),
    }
  }
  return {
    list: need('GET /issues', { ...list, scope: 'all', non_archived: true }),
    counts: need('GET /issues_statistics', { ...counted, scope: 'all' }),
  }
}

export const page: PageModule<At> = {
  calls: (at) => [urlsOf(at).list],
  View: ({ at }) => {
    if (at.place?.kind === 'project') return <ProjectIssues at={at} id={at.place.id} />
    if (at.place?.kind === 'group') return <GroupIssues at={at} id={at.place.id} />
    return <IssueList at={at} finds={allFinds} />
  },
}

const nothing = async () => []
const allFinds: Finds = { people: findPeople, labels: nothing, milestones: nothing }

function ProjectIssues({ at, id }: { at: At; id: number }) {
  const { data: project } = useProject(id)
  useLive(`project:${id}`, [`/api/v4/projects/${id}/issues`])
  const finds = {
    people: findProjectUsers(id),
    labels: findLabels(id),
    milestones: findMilestones(id),
  }
  const mayCreate = may(project, 'create_issues')
  return (
    <IssueList
      at={at}
      finds={finds}
      projectId={id}
      mayChange={may(project, 'write_labels')}
      newHref={mayCreate && at.place ? `${baseOf(at.place)}/-/issues/new` : undefined}
    />
  )
}

function GroupIssues({ at, id }: { at: At; id: number }) {
  const { data: group } = useGroup(id)
  const finds = {
    people: findPeople,
    labels: findGroupLabels(id),
    milestones: findGroupMilestones(id),
  }
  return <IssueList at={at} finds={finds} mayChange={mayInGroup(group, 'write_labels')} />
}

function IssueList({
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
  const { list, counts } = urlsOf({ ...at, url: here.value })
  const { data, page: pages, refusal, again } = useUrl<Issue[]>(list)
  const filter = readFilter(here.value)
  const selection = useSelection(data ?? [])
  return (
    <PlanningPage
      place={at.place}
      title={words.title}
      actions={
        newHref ? (
          <ButtonLink look="primary" href={newHref}>
            {words.new}
          </ButtonLink>
        ) : null
      }
    >
      <States countsUrl={counts} state={filter.state} />
      <FilterBar kind="issue" searchLabel={words.search} finds={finds} />
      {newHref && projectId !== undefined ? <QuickAdd projectId={projectId} /> : null}
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <Waiting />}
      {data?.length === 0 ? <Nothing isNarrowed={isNarrowed(filter)} newHref={newHref} /> : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((issue) => (
            <IssueRow
              key={issue.id}
              issue={issue}
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
          change={(issue, changes) =>
            call('PUT /projects/:id/issues/:issue_iid', {
              id: issue.project_id,
              issue_iid: issue.iid,
              ...changes,
            })
          }
          onDone={() => touch('/api/v4/projects/', '/api/v4/groups/', '/api/v4/issues')}
        />
      ) : null}
      <Pager page={pages} />
    </PlanningPage>
  )
}

function States({ countsUrl, state }: { countsUrl: string; state: string }) {
  const { data } = useUrl<{ statistics: { counts: Record<'all' | 'closed' | 'opened', number> } }>(
    countsUrl,
  )
  const counts = data?.statistics.counts
  const tab = (name: 'opened' | 'closed' | 'all', label: string) => ({
    words: label,
    href: withFilter(here.value, { state: name === 'opened' ? '' : name }),
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
        touch(`/api/v4/projects/${projectId}/issues`)
        tell(words.added(issue.iid))
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

function Nothing({
  isNarrowed: isFiltered,
  newHref,
}: {
  isNarrowed: boolean
  newHref: string | undefined
}) {
  if (isFiltered) {
    return (
      <Blank title={words.noMatches}>
        <p>{words.noMatchesText}</p>
      </Blank>
    )
  }
  return (
    <Blank title={words.empty}>
      <p>{words.emptyText}</p>
      {newHref ? (
        <ButtonLink look="primary" href={newHref}>
          {words.new}
        </ButtonLink>
      ) : null}
    </Blank>
  )
}

function IssueRow({
  issue,
  isWithProject,
  selection,
}: {
  issue: Issue
  isWithProject: boolean
  selection: ReturnType<typeof useSelection<Issue>> | undefined
}) {
  return (
    <IssuableRow
      thing={issue}
      reference={isWithProject ? issue.references.full : `#${issue.iid}`}
      href={pathOf(issue.web_url)}
      labels={issue.labels as readonly BasicLabel[]}
      selection={selection}
      chips={issue.confidential ? <Chip tone="warning">{words.confidential}</Chip> : null}
    />
  )
}
