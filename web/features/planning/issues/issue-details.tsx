// What stands beside an issue.
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { useApi } from '../../../api/use-api.ts'
import {
  DetailRow,
  LabelsDetailRow,
  MilestoneDetailRow,
  NotificationsDetailRow,
  ParticipantsDetailRow,
  PeopleDetailRow,
  TimeTrackingDetailRow,
} from '../../../surfaces/issuable/details.tsx'
import { isOverdue } from '../../../surfaces/issuable/overdue.ts'
import { issuables as words } from '../../../text/issues.ts'
import { formatDay, localMidnight } from '../../../text/numbers.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { labelFinder, milestoneFinder, projectUserFinder } from '../../../ui/combobox/finders.ts'
import { CopyButton } from '../../../ui/copy-line/copy-line.tsx'
import { pathnameOf } from '../../../ui/project-address.ts'
import {
  changeIssue,
  type IssueChanges,
  type IssueId,
  type IssueRecord,
  invalidateIssue,
} from './issue-calls.ts'

export function IssueDetails({
  of,
  issue,
  base,
}: {
  of: IssueId
  issue: IssueRecord
  base: string
}) {
  const { data: project } = useProject(of.id)
  const mayChange = issue.abilities?.change_details ?? false
  const change = mayChange ? (changes: IssueChanges) => changeIssue(of, changes) : undefined
  const own = user.value?.id
  const participants = useApi('GET /projects/:id/issues/:issue_iid/participants', {
    ...of,
    per_page: 20,
  })
  const isMulti = issue.weight !== undefined
  return (
    <aside class="details" aria-label={words.details}>
      <PeopleDetailRow
        title={words.assignees}
        people={issue.assignees}
        find={projectUserFinder(of.id)}
        isMulti={isMulti}
        onChange={change && ((assignee_ids) => change({ assignee_ids }))}
      >
        {change && own !== undefined && issue.assignees.length === 0 ? (
          <Button look="quiet" onClick={() => void change({ assignee_ids: [own] })}>
            {words.assignYourself}
          </Button>
        ) : null}
      </PeopleDetailRow>
      <LabelsDetailRow
        labels={issue.labels}
        find={labelFinder(of.id)}
        hrefOf={(name) => `${base}/-/issues?label_name[]=${encodeURIComponent(name)}`}
        manageHref={mayInProject(project, 'write_labels') ? `${base}/-/labels` : undefined}
        onChange={
          change &&
          (async ({ added, removed }) => {
            await change({ add_labels: added, remove_labels: removed })
            invalidate(`/api/v4/projects/${of.id}/labels`)
          })
        }
      />
      <MilestoneDetailRow
        milestone={issue.milestone}
        find={milestoneFinder(of.id)}
        href={issue.milestone ? pathnameOf(issue.milestone.web_url) : undefined}
        onChange={change && ((milestone_id) => change({ milestone_id }))}
      />
      <DueDate issue={issue} change={change} />
      {issue.weight === undefined ? null : <Weight issue={issue} change={change} />}
      <TimeTrackingDetailRow
        stats={issue.time_stats}
        onTrack={
          issue.abilities?.track_time
            ? async ({ kind, duration, summary }) => {
                await (kind === 'estimate'
                  ? call('POST /projects/:id/issues/:issue_iid/time_estimate', { ...of, duration })
                  : call('POST /projects/:id/issues/:issue_iid/add_spent_time', {
                      ...of,
                      duration,
                      ...(summary ? { summary } : {}),
                    }))
                invalidateIssue(of)
              }
            : undefined
        }
      />
      <ParticipantsDetailRow people={participants.data} total={participants.page?.total} />
      {user.value ? (
        <NotificationsDetailRow
          isSubscribed={issue.subscribed ?? false}
          onToggle={async (isOn) => {
            await call(
              isOn
                ? 'POST /projects/:id/issues/:issue_iid/subscribe'
                : 'POST /projects/:id/issues/:issue_iid/unsubscribe',
              of,
            )
            invalidateIssue(of)
          }}
        />
      ) : null}
      <DetailRow title={words.reference}>
        <div class="row">
          <code>{issue.references.full}</code>
          <CopyButton text={issue.references.full} label={words.copyReference} />
        </div>
      </DetailRow>
    </aside>
  )
}

type Change = ((changes: IssueChanges) => Promise<void>) | undefined

function DueDate({ issue, change }: { issue: IssueRecord; change: Change }) {
  const { due_date } = issue
  return (
    <DetailRow title={words.dueDate}>
      {change ? (
        <input
          type="date"
          class="field-control"
          aria-label={words.dueDate}
          value={due_date ?? ''}
          onChange={(event) => void change({ due_date: event.currentTarget.value })}
        />
      ) : (
        <span class={due_date ? '' : 'muted'}>
          {due_date ? formatDay(localMidnight(due_date)) : words.noDueDate}
        </span>
      )}
      {isOverdue(issue) ? <Chip tone="failed">{words.overdue}</Chip> : null}
    </DetailRow>
  )
}

function Weight({ issue, change }: { issue: IssueRecord; change: Change }) {
  return (
    <DetailRow title={words.weight}>
      {change ? (
        <input
          type="number"
          min={0}
          class="field-control"
          aria-label={words.weight}
          value={issue.weight ?? ''}
          onChange={({ currentTarget: { value } }) =>
            void change({ weight: value === '' ? null : Number(value) })
          }
        />
      ) : (
        <span>{issue.weight ?? words.none}</span>
      )}
    </DetailRow>
  )
}
