// Cards that were moved: what the lists show until the server has answered, and what it is asked for.
import { call } from '../../../api/call.ts'
import type { Board, Issue } from '../../../api/operations.ts'
import type { Column } from './board-calls.ts'

/** Names of labels, whichever way a record tells them. */
const namesOf = (labels: readonly (string | { name: string })[]): string[] =>
  labels.map((label) => (typeof label === 'string' ? label : label.name))

/** `index` is the place among the other cards of the list. */
export type Move = { issue: Issue; from: Column; to: Column; index: number }

/** What a list shows, given what the server said and the moves it has not answered, in their order. */
export function issuesAfterMoves(
  column: Column,
  issues: readonly Issue[],
  moves: readonly Move[],
): readonly Issue[] {
  let shown = issues
  for (const { issue, from, to, index } of moves) {
    const isTo = column.key === to.key
    // An issue that is closed or has no label of the board any more leaves all lists it was in.
    if (isTo || column.key === from.key || to.kind !== 'label') {
      shown = shown.filter(({ id }) => id !== issue.id)
    }
    if (isTo) shown = [...shown.slice(0, index), issue, ...shown.slice(index)]
  }
  return shown
}

type Changes = {
  state_event?: 'close' | 'reopen'
  add_labels?: string[]
  remove_labels?: string[]
}

/** The labels and the state that an issue takes on in the list it is moved to. */
function changesOf({ issue, from, to }: Move, board: Board): Changes {
  if (to.kind === 'closed') return { state_event: 'close' }
  const own = namesOf(issue.labels)
  const ofBoard = board.lists.map(({ label }) => label.name)
  const left = to.kind === 'open' ? ofBoard : from.list ? [from.list.label.name] : []
  const remove_labels = left.filter((name) => own.includes(name))
  return {
    ...(to.list ? { add_labels: [to.list.label.name] } : {}),
    ...(remove_labels.length > 0 ? { remove_labels } : {}),
    ...(from.kind === 'closed' ? { state_event: 'reopen' } : {}),
  }
}

/** The card as it is in its new list, before the server has said so. */
export function issueAfterMove(move: Move, board: Board): Issue {
  const { issue, from, to } = move
  if (from.key === to.key) return issue
  const { remove_labels = [] } = changesOf(move, board)
  const kept = issue.labels.filter((label) => !namesOf([label]).some(isOf(remove_labels)))
  const isAdded = to.list && !namesOf(kept).includes(to.list.label.name)
  return {
    ...issue,
    state: to.kind === 'closed' ? 'closed' : 'opened',
    labels: [...kept, ...(isAdded && to.list ? [to.list.label] : [])],
  }
}

const isOf = (names: readonly string[]) => (name: string) => names.includes(name)

/** Asks the server for a move, among `others` in the list. Throws `Refusal`. */
export async function performMove(
  move: Move,
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
