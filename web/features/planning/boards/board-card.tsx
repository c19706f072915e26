// An issue on a board.
import type { BasicLabel, Issue } from '../../../api/operations.ts'
import { isOverdue } from '../../../surfaces/issuable/overdue.ts'
import { boards as words } from '../../../text/boards.ts'
import { formatDay, localMidnight } from '../../../text/numbers.ts'
import { ui } from '../../../text/ui.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { Label } from '../../../ui/label/label.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { pathnameOf } from '../../../ui/project-address.ts'
import type { BoardColumnOfIssues } from './board-calls.ts'

/** Where a card may be moved by its menu or by keys. */
export type CardMover = {
  toColumn: (to: BoardColumnOfIssues) => void
  by: (step: { columns?: number; rows?: number }) => void
}

export const cardId = (column: BoardColumnOfIssues, issue: Issue) =>
  `card-${column.key}-${issue.id}`

const steps: Readonly<Record<string, { columns?: number; rows?: number }>> = {
  ArrowLeft: { columns: -1 },
  ArrowRight: { columns: 1 },
  ArrowUp: { rows: -1 },
  ArrowDown: { rows: 1 },
}

export function IssueCard({
  issue,
  column,
  columns,
  isWithProject,
  mover,
  onStep,
}: {
  issue: Issue
  column: BoardColumnOfIssues
  columns: readonly BoardColumnOfIssues[]
  isWithProject: boolean
  /** Undefined for those who may not move cards. */
  mover: CardMover | undefined
  /** Moves the focus to another card. */
  onStep: (step: { columns?: number; rows?: number }) => void
}) {
  const { title, iid, references, assignees, due_date, weight } = issue
  const labels = (issue.labels as readonly BasicLabel[]).filter(
    ({ name }) => name !== column.list?.label?.name,
  )
  return (
    <li class="board-card" data-card={issue.id}>
      <div class="board-card-head">
        <a
          class="board-title grow"
          id={cardId(column, issue)}
          href={pathnameOf(issue.web_url)}
          onKeyDown={(event) => {
            const step = steps[event.key]
            if (!step || event.ctrlKey || event.metaKey || event.altKey) return
            event.preventDefault()
            if (!event.shiftKey) onStep(step)
            else mover?.by(step)
          }}
        >
          <bdi>{title}</bdi>
        </a>
        {mover ? (
          <>
            <DragHandle />
            <Menu
              look="quiet"
              label={words.cardMenu(title)}
              items={[
                ...columns
                  .filter(({ key }) => key !== column.key)
                  .map((to) => ({ words: words.moveTo(to.title), run: () => mover.toColumn(to) })),
                { words: words.moveUp, run: () => mover.by({ rows: -1 }) },
                { words: words.moveDown, run: () => mover.by({ rows: 1 }) },
              ]}
            >
              <span aria-hidden="true">{ui.signs.more}</span>
            </Menu>
          </>
        ) : null}
      </div>
      {labels.length > 0 ? (
        <div class="row">
          {labels.map(({ id, name, color }) => (
            <Label key={id} name={name} color={color} />
          ))}
        </div>
      ) : null}
      <div class="row row-apart muted">
        <span class="row">
          <span>{isWithProject ? references.full : `#${iid}`}</span>
          {due_date ? <Due date={due_date} isLate={isOverdue(issue)} /> : null}
          {weight ? <span>{words.weight(weight)}</span> : null}
        </span>
        <span class="row">
          {assignees.map(({ id, name, avatar_url }) => (
            <span key={id} title={words.assignee(name)}>
              <Avatar name={name} url={avatar_url} size={20} />
              <span class="only-spoken">{words.assignee(name)}</span>
            </span>
          ))}
        </span>
      </div>
    </li>
  )
}

/** What a finger drags by; keys have the menu beside it. */
export function DragHandle() {
  return (
    <span class="board-grip" aria-hidden="true">
      {words.signs.grip}
    </span>
  )
}

function Due({ date, isLate }: { date: string; isLate: boolean }) {
  const told = formatDay(localMidnight(date))
  return isLate ? <Chip tone="failed">{words.overdue(told)}</Chip> : <span>{words.due(told)}</span>
}
