// What stands beside an issue.
import { useState } from 'preact/hooks'
import { touch } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { labelInput, namesOf, useLabelColors } from '../../../api/labels.ts'
import { may, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { useApi } from '../../../api/use-api.ts'
import {
  Detail,
  LabelsDetail,
  MilestoneDetail,
  PeopleDetail,
} from '../../../surfaces/issuable/details.tsx'
import { issuables as words } from '../../../text/issues.ts'
import { day } from '../../../text/numbers.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { findLabels, findMilestones, findProjectUsers } from '../../../ui/combobox/finds.ts'
import { CopyButton } from '../../../ui/copy-line/copy-line.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { pathOf } from '../../../ui/project-address.ts'
import { changeIssue, type IssueId, type IssueRecord, touchIssue } from './issue-calls.ts'

export function IssueDetails({
  of,
  issue,
  base,
}: {
  of: IssueId
  issue: IssueRecord
  base: string
}) {
  const colors = useLabelColors(of.id)
  const { data: project } = useProject(of.id)
  const mayChange = issue.abilities?.change_details ?? false
  const change = mayChange
    ? (changes: Parameters<typeof changeIssue>[1]) => changeIssue(of, changes)
    : undefined
  const own = user.value?.id
  const isMulti = issue.weight !== undefined
  return (
    <aside class="details" aria-label={words.details}>
      <PeopleDetail
        title={words.assignees}
        people={issue.assignees}
        find={findProjectUsers(of.id)}
        isMulti={isMulti}
        onChange={change && ((assignee_ids) => change({ assignee_ids }))}
      >
        {change && own !== undefined && issue.assignees.length === 0 ? (
          <Button look="quiet" onClick={() => void change({ assignee_ids: [own] })}>
            {words.assignYourself}
          </Button>
        ) : null}
      </PeopleDetail>
      <LabelsDetail
        names={namesOf(issue.labels)}
        colors={colors}
        find={findLabels(of.id)}
        hrefOf={(name) => `${base}/-/issues?label_name[]=${encodeURIComponent(name)}`}
        manageHref={may(project, 'write_labels') ? `${base}/-/labels` : undefined}
        onChange={
          change &&
          (async ({ added, removed }) => {
            await change({ add_labels: added, remove_labels: removed })
            touch(`/api/v4/projects/${labelInput(of.id).id}/labels`)
          })
        }
      />
      <MilestoneDetail
        milestone={issue.milestone}
        find={findMilestones(of.id)}
        href={issue.milestone ? pathOf(issue.milestone.web_url) : undefined}
        onChange={change && ((milestone_id) => change({ milestone_id }))}
      />
      <DueDate issue={issue} change={change} />
      {issue.weight === undefined ? null : <Weight issue={issue} change={change} />}
      <TimeTracking of={of} issue={issue} mayTrack={issue.abilities?.track_time ?? false} />
      <Participants of={of} />
      {user.value ? <Notifications of={of} issue={issue} /> : null}
      <Detail title={words.reference}>
        <div class="row">
          <code>{issue.references.full}</code>
          <CopyButton text={issue.references.full} label={words.copyReference} />
        </div>
      </Detail>
    </aside>
  )
}

type Change = ((changes: Parameters<typeof changeIssue>[1]) => Promise<void>) | undefined

function DueDate({ issue, change }: { issue: IssueRecord; change: Change }) {
  const { due_date } = issue
  const isOverdue =
    due_date !== null && issue.state === 'opened' && new Date(`${due_date}T23:59:59`) < new Date()
  return (
    <Detail title={words.dueDate}>
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
          {due_date ? day(new Date(due_date)) : words.noDueDate}
        </span>
      )}
      {isOverdue ? <Chip tone="failed">{words.overdue}</Chip> : null}
    </Detail>
  )
}

function Weight({ issue, change }: { issue: IssueRecord; change: Change }) {
  return (
    <Detail title={words.weight}>
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
    </Detail>
  )
}

function TimeTracking({
  of,
  issue,
  mayTrack,
}: {
  of: IssueId
  issue: IssueRecord
  mayTrack: boolean
}) {
  const [asked, setAsked] = useState<'estimate' | 'spent'>()
  const { human_time_estimate: estimate, human_total_time_spent: spent } = issue.time_stats
  const told = estimate
    ? words.spentOf(spent ?? '0h', estimate)
    : spent
      ? words.timeSpentIs(spent)
      : words.notTracked
  return (
    <Detail title={words.timeTracking}>
      <span class={estimate || spent ? '' : 'muted'}>{told}</span>
      {mayTrack ? (
        <div class="row">
          <Button look="quiet" onClick={() => setAsked('spent')}>
            {words.addTime}
          </Button>
          <Button look="quiet" onClick={() => setAsked('estimate')}>
            {words.setEstimate}
          </Button>
        </div>
      ) : null}
      {asked ? (
        <Dialog
          title={asked === 'spent' ? words.addTime : words.setEstimate}
          onClose={() => setAsked(undefined)}
        >
          <Form
            action={words.save}
            onSubmit={async (values) => {
              const duration = values.text('duration')
              if (asked === 'estimate') {
                await call('POST /projects/:id/issues/:issue_iid/time_estimate', {
                  ...of,
                  duration,
                })
              } else {
                const summary = values.text('summary')
                await call('POST /projects/:id/issues/:issue_iid/add_spent_time', {
                  ...of,
                  duration,
                  ...(summary ? { summary } : {}),
                })
              }
              touchIssue(of)
              setAsked(undefined)
            }}
          >
            <TextField label={words.durationOf} name="duration" hint={words.timeHint} required />
            {asked === 'spent' ? <TextField label={words.summary} name="summary" /> : null}
          </Form>
        </Dialog>
      ) : null}
    </Detail>
  )
}

function Participants({ of }: { of: IssueId }) {
  const { data, page } = useApi('GET /projects/:id/issues/:issue_iid/participants', {
    ...of,
    per_page: 20,
  })
  if (!data || data.length === 0) return null
  return (
    <Detail title={words.participants(page?.total ?? data.length)}>
      <div class="row">
        {data.map(({ id, name, username, avatar_url }) => (
          <a key={id} href={`/${username}`} title={name} aria-label={name}>
            <Avatar name={name} url={avatar_url} />
          </a>
        ))}
      </div>
    </Detail>
  )
}

function Notifications({ of, issue }: { of: IssueId; issue: IssueRecord }) {
  const toggle = async () => {
    await call(
      issue.subscribed
        ? 'POST /projects/:id/issues/:issue_iid/unsubscribe'
        : 'POST /projects/:id/issues/:issue_iid/subscribe',
      of,
    )
    touchIssue(of)
  }
  return (
    <Detail title={words.notifications}>
      <span class="muted">{issue.subscribed ? words.subscribed : words.notSubscribed}</span>
      <Button look="quiet" onClick={() => void toggle()}>
        {issue.subscribed ? words.unsubscribe : words.subscribe}
      </Button>
    </Detail>
  )
}
