// What stands beside a merge request.
import { call } from '../../../api/call.ts'
import type { Approvals } from '../../../api/operations.ts'
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
import { issuables } from '../../../text/issues.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { Button } from '../../../ui/button/button.tsx'
import { labelFinder, milestoneFinder, projectUserFinder } from '../../../ui/combobox/finders.ts'
import { CopyButton } from '../../../ui/copy-line/copy-line.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { pathnameOf } from '../../../ui/project-address.ts'
import {
  invalidateRequest,
  type RequestChanges,
  type RequestId,
  type RequestRecord,
  saveRequestChanges,
} from './request-calls.ts'

const RequestApprovals = lazyComponent(() =>
  import('./request-approvals.tsx').then(({ RequestApprovals: View }) => View),
)
const ReviewerState = lazyComponent(() =>
  import('./reviewer-state.tsx').then(({ ReviewerState: View }) => View),
)

export function RequestDetails({
  of,
  request,
  approvals,
  base,
}: {
  of: RequestId
  request: RequestRecord
  approvals: Approvals | undefined
  base: string
}) {
  const { data: project } = useProject(of.id)
  const route = 'GET /projects/:id/merge_requests/:merge_request_iid'
  const participants = useApi(`${route}/participants`, { ...of, per_page: 20 })
  const { data: closes } = useApi(`${route}/closes_issues`, { ...of, per_page: 20 })
  const mayChange = request.abilities?.change_details ?? false
  const change = mayChange
    ? (changes: RequestChanges) => saveRequestChanges(of, changes)
    : undefined
  // The base tier has one assignee and one reviewer (docs/api/merge-requests.md, "Reviewers").
  const isMulti = request.approvals_before_merge !== undefined
  const own = user.value?.id
  return (
    <aside class="details" aria-label={issuables.details}>
      <PeopleDetailRow
        title={issuables.assignees}
        people={request.assignees}
        find={projectUserFinder(of.id)}
        isMulti={isMulti}
        onChange={change && ((assignee_ids) => change({ assignee_ids }))}
      >
        {change && own !== undefined && request.assignees.length === 0 ? (
          <Button look="quiet" onClick={() => void change({ assignee_ids: [own] })}>
            {issuables.assignYourself}
          </Button>
        ) : null}
      </PeopleDetailRow>
      <PeopleDetailRow
        title={issuables.reviewers}
        people={request.reviewers}
        find={projectUserFinder(of.id)}
        isMulti={isMulti}
        onChange={change && ((reviewer_ids) => change({ reviewer_ids }))}
        beside={(reviewer) => <ReviewerState {...{ of, reviewer, mayChange }} />}
      />
      {approvals ? (
        <PeopleDetailRow
          title={words.approvedBy}
          people={approvals.approved_by.map(({ user: one }) => one)}
          find={projectUserFinder(of.id)}
          isMulti={false}
          onChange={undefined}
        />
      ) : null}
      {approvals?.merge_request_approvers_available ? (
        <RequestApprovals {...{ of, request, approvals }} />
      ) : null}
      <LabelsDetailRow
        labels={request.labels}
        find={labelFinder(of.id)}
        hrefOf={(name) => `${base}/-/merge_requests?label_name[]=${encodeURIComponent(name)}`}
        manageHref={mayInProject(project, 'write_labels') ? `${base}/-/labels` : undefined}
        onChange={
          change && (({ added, removed }) => change({ add_labels: added, remove_labels: removed }))
        }
      />
      <MilestoneDetailRow
        milestone={request.milestone}
        find={milestoneFinder(of.id)}
        href={request.milestone ? pathnameOf(request.milestone.web_url) : undefined}
        onChange={change && ((milestone_id) => change({ milestone_id }))}
      />
      {closes && closes.length > 0 ? (
        <DetailRow title={words.closes}>
          <ul>
            {closes.map((issue) => (
              <li key={issue.id}>
                {'iid' in issue ? (
                  <a href={pathnameOf(issue.web_url)}>{`#${issue.iid} ${issue.title}`}</a>
                ) : null}
              </li>
            ))}
          </ul>
        </DetailRow>
      ) : null}
      <TimeTrackingDetailRow
        stats={request.time_stats}
        onTrack={
          request.abilities?.track_time
            ? async ({ kind, duration, summary }) => {
                await (kind === 'estimate'
                  ? call('POST /projects/:id/merge_requests/:merge_request_iid/time_estimate', {
                      ...of,
                      duration,
                    })
                  : call('POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time', {
                      ...of,
                      duration,
                      ...(summary ? { summary } : {}),
                    }))
                invalidateRequest(of)
              }
            : undefined
        }
      />
      <ParticipantsDetailRow people={participants.data} total={participants.page?.total} />
      {user.value ? (
        <NotificationsDetailRow
          isSubscribed={request.subscribed}
          onToggle={async (isOn) => {
            await call(
              isOn
                ? 'POST /projects/:id/merge_requests/:merge_request_iid/subscribe'
                : 'POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe',
              of,
            )
            invalidateRequest(of)
          }}
        />
      ) : null}
      <DetailRow title={issuables.reference}>
        <div class="row">
          <code>{request.references.full}</code>
          <CopyButton text={request.references.full} label={issuables.copyReference} />
        </div>
      </DetailRow>
    </aside>
  )
}
