// A row of a list of issues or merge requests.
import type { ComponentChildren } from 'preact'
import type { BasicLabel, BasicUser, TaskCompletion } from '../../api/operations.ts'
import { issuables as words } from '../../text/issues.ts'
import { formatDay, localMidnight } from '../../text/numbers.ts'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { Chip } from '../../ui/chip/chip.tsx'
import { Label } from '../../ui/label/label.tsx'
import { ListRow } from '../../ui/list/list.tsx'
import { currentUrl } from '../../ui/navigation.ts'
import { Time } from '../../ui/time/time.tsx'
import type { RowSelection } from './bulk.tsx'
import { urlWithIssuableFilter } from './filter.ts'
import { isOverdue } from './overdue.ts'
import './issuable.css'

type Thing = {
  id: number
  iid: number
  project_id: number
  title: string
  state: string
  created_at: string
  updated_at: string
  author: BasicUser
  assignees: readonly BasicUser[]
  milestone: { title: string } | null
  due_date?: string | null
  user_notes_count: number
  upvotes: number
  task_completion_status: TaskCompletion
}

export function IssuableRow<T extends Thing>({
  thing,
  reference,
  href,
  labels,
  selection,
  chips,
  more,
  status,
}: {
  thing: T
  reference: string
  href: string
  labels: readonly BasicLabel[]
  selection?: RowSelection<T> | undefined
  /** Beside the title. */
  chips?: ComponentChildren
  /** In the line below it. */
  more?: ComponentChildren
  /** At the end of the row. */
  status?: ComponentChildren
}) {
  const { title, author, created_at, milestone, due_date, task_completion_status: tasks } = thing
  return (
    <ListRow
      aside={
        <>
          {status}
          {thing.assignees.map(({ id, name, avatar_url }) => (
            <span key={id} title={words.filterIs(words.assignee, name)}>
              <Avatar name={name} url={avatar_url} size={20} />
              <span class="only-spoken">{words.filterIs(words.assignee, name)}</span>
            </span>
          ))}
          {thing.user_notes_count > 0 ? (
            <span>{words.comments(thing.user_notes_count)}</span>
          ) : null}
        </>
      }
    >
      <div class="issuable-row-head">
        {selection ? (
          <input
            type="checkbox"
            class="issuable-select"
            aria-label={words.selectRow(title)}
            checked={selection.has(thing)}
            onChange={() => selection.toggle(thing)}
          />
        ) : null}
        <a data-main class="issuable-title" href={href}>
          <bdi>{title}</bdi>
        </a>
        {chips}
        {labels.map(({ id, name, color }) => (
          <Label
            key={id}
            name={name}
            color={color}
            href={urlWithIssuableFilter(currentUrl.value, { labels: [name] })}
          />
        ))}
      </div>
      <div class="issuable-line">
        <span>{reference}</span>
        {thing.state === 'opened' ? null : <span>{words.states[thing.state] ?? thing.state}</span>}
        <span>
          <Time at={created_at} /> {words.createdBy(author.name)}
        </span>
        {milestone ? (
          <a href={urlWithIssuableFilter(currentUrl.value, { milestone: milestone.title })}>
            <bdi>{milestone.title}</bdi>
          </a>
        ) : null}
        {due_date ? (
          isOverdue(thing) ? (
            <Chip tone="failed">
              {words.filterIs(words.overdue, formatDay(localMidnight(due_date)))}
            </Chip>
          ) : (
            <span>{words.filterIs(words.dueDate, formatDay(localMidnight(due_date)))}</span>
          )
        ) : null}
        {tasks.count > 0 ? <span>{words.tasks(tasks.completed_count, tasks.count)}</span> : null}
        {more}
      </div>
    </ListRow>
  )
}
