// Cards that were moved: what the lists show until the server has answered, and what it is asked for.
import { call } from '../../../api/call.ts'
import type { Board, Issue } from '../../../api/operations.ts'
import { type BoardColumnOfIssues, leavesColumnWhenMoved } from './board-calls.ts'

/** Names of labels, whichever way a record tells them. */
const namesOf = (labels: readonly (string | { name: string })[]): string[] =>
  labels.map((label) => (typeof label === 'string' ? label : label.name))

/** `index` is the place among the other cards of the list. */
export type CardMove = {
  issue: Issue
  from: BoardColumnOfIssues
  to: BoardColumnOfIssues
  index: number
}

/** What a list shows, given what the server said and the moves it has not answered, in their order. */
export function issuesOfColumnAfterMoves(
  column: BoardColumnOfIssues,
  issues: readonly Issue[],
  moves: readonly CardMove[],
): readonly Issue[] {
  let shown = issues
  for (const { issue, from, to, index } of moves) {
    const isTo = column.key === to.key
    if (isTo || isLeft(column, { from, to })) shown = shown.filter(({ id }) => id !== issue.id)
    if (isTo) shown = [...shown.slice(0, index), issue, ...shown.slice(index)]
  }
  return shown
}

/** Whether an issue that is moved is no longer in a list where it was. */
function isLeft(column: BoardColumnOfIssues, { from, to }: Pick<CardMove, 'from' | 'to'>): boolean {
  // An issue that is closed or has nothing of the board's lists any more leaves all lists it was in.
  if (to.kind !== 'list') return true
  // An issue has one milestone.
  if (to.list?.milestone && column.list?.milestone) return true
  return column.key === from.key && leavesColumnWhenMoved(from, to)
}

type Changes = {
  state_event?: 'close' | 'reopen'
  add_labels?: string[]
  remove_labels?: string[]
  assignee_ids?: number[]
  /** 0 for none. */
  milestone_id?: number
}

/** What an issue takes on in the list it is moved to, and what it loses. */
function changesOf({ issue, from, to }: CardMove, { lists }: Board): Changes {
  if (to.kind === 'closed') return { state_event: 'close' }
  const left =
    to.kind === 'open' ? lists : from.list && leavesColumnWhenMoved(from, to) ? [from.list] : []
  const own = namesOf(issue.labels)
  const remove_labels = left.flatMap(({ label }) => label?.name ?? []).filter(isOf(own))
  const before = issue.assignees.map(({ id }) => id)
  const kept = before.filter((id) => !left.some(({ assignee }) => assignee?.id === id))
  const added = to.list?.assignee?.id
  const assignee_ids = added === undefined || kept.includes(added) ? kept : [...kept, added]
  const isMilestoneLeft = left.some(({ milestone }) => milestone?.id === issue.milestone?.id)
  const milestone_id =
    to.list?.milestone?.id ?? (issue.milestone && isMilestoneLeft ? 0 : undefined)
  return {
    ...(to.list?.label ? { add_labels: [to.list.label.name] } : {}),
    ...(remove_labels.length > 0 ? { remove_labels } : {}),
    ...(assignee_ids.join() === before.join() ? {} : { assignee_ids }),
    ...(milestone_id === undefined ? {} : { milestone_id }),
    ...(from.kind === 'closed' ? { state_event: 'reopen' } : {}),
  }
}

/** The card as it is in its new list, before the server has said so. */
export function issueAfterMove(move: CardMove, board: Board): Issue {
  const { issue, from, to } = move
  if (from.key === to.key) return issue
  const { remove_labels = [], assignee_ids, milestone_id } = changesOf(move, board)
  const kept = issue.labels.filter((label) => !namesOf([label]).some(isOf(remove_labels)))
  const { label, assignee, milestone } = to.list ?? {}
  const isAdded = label && !namesOf(kept).includes(label.name)
  const people = [...issue.assignees, ...(assignee ? [assignee] : [])]
  return {
    ...issue,
    state: to.kind === 'closed' ? 'closed' : 'opened',
    labels: [...kept, ...(isAdded ? [label] : [])],
    assignees:
      assignee_ids?.flatMap((id) => people.find((one) => one.id === id) ?? []) ?? issue.assignees,
    milestone: milestone_id === undefined ? issue.milestone : (milestone ?? null),
  }
}

const isOf = (names: readonly string[]) => (name: string) => names.includes(name)

/** Asks the server for a move, among `others` in the list. Throws `Refusal`. */
export async function saveCardMove(
  move: CardMove,
  board: Board,
  others: readonly Issue[],
): Promise<void> {
  const { issue, from, to, index } = move
  const of = { id: issue.project_id, issue_iid: issue.iid }
  if (from.key !== to.key) {
    await call('PUT /projects/:id/issues/:issue_iid', { ...of, ...changesOf(move, board) })
  }
  // Only issues of one project have an order among each other.
  const isNear = ({ project_id }: Issue) => project_id === issue.project_id
  const before = others.slice(0, index).findLast(isNear)
  const after = others.slice(index).find(isNear)
  if (!before && !after) return
  await call('PUT /projects/:id/issues/:issue_iid/reorder', {
    ...of,
    ...(before ? { move_after_id: before.id } : {}),
    ...(after ? { move_before_id: after.id } : {}),
  })
}
