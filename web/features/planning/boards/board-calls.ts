// What boards ask of the server, for a project and for a group.
import { getOrCreateEntry, invalidate, listUrlsInUse, refresh } from '../../../api/cache.ts'
import type { Board, BoardList } from '../../../api/operations.ts'
import { boards as words } from '../../../text/boards.ts'
import type { Place } from '../../../ui/page-module.ts'

const ofProject = {
  boards: 'GET /projects/:id/boards',
  create: 'POST /projects/:id/boards',
  change: 'PUT /projects/:id/boards/:board_id',
  remove: 'DELETE /projects/:id/boards/:board_id',
  addList: 'POST /projects/:id/boards/:board_id/lists',
  moveList: 'PUT /projects/:id/boards/:board_id/lists/:list_id',
  removeList: 'DELETE /projects/:id/boards/:board_id/lists/:list_id',
  issues: 'GET /projects/:id/issues',
  labels: 'GET /projects/:id/labels',
} as const
const ofGroup = {
  boards: 'GET /groups/:id/boards',
  create: 'POST /groups/:id/boards',
  change: 'PUT /groups/:id/boards/:board_id',
  remove: 'DELETE /groups/:id/boards/:board_id',
  addList: 'POST /groups/:id/boards/:board_id/lists',
  moveList: 'PUT /groups/:id/boards/:board_id/lists/:list_id',
  removeList: 'DELETE /groups/:id/boards/:board_id/lists/:list_id',
  issues: 'GET /groups/:id/issues',
  labels: 'GET /groups/:id/labels',
} as const

export const boardRoutesOf = ({ kind }: Place) => (kind === 'group' ? ofGroup : ofProject)

export const boardsInput = ({ id }: Place) => ({ id, per_page: 100 })

const pathOf = ({ kind, id }: Place) => `/api/v4/${kind}s/${id}`

export const boardsPath = (place: Place) => `${pathOf(place)}/boards`

export const invalidateBoards = (place: Place) => invalidate(boardsPath(place))

/** A list of a board: the open issues of a label or of none of the board's labels, or those that are closed. */
export type Column = { key: string; kind: 'open' | 'label' | 'closed'; title: string } & {
  list?: BoardList
}

export function columnsOf(board: Board): Column[] {
  const { lists, hide_backlog_list, hide_closed_list } = board
  const sorted = [...lists].sort((one, other) => one.position - other.position)
  return [
    ...(hide_backlog_list ? [] : [{ key: 'open', kind: 'open' as const, title: words.open }]),
    ...sorted.map((list) => ({
      key: `label-${list.id}`,
      kind: 'label' as const,
      title: list.label.name,
      list,
    })),
    ...(hide_closed_list ? [] : [{ key: 'closed', kind: 'closed' as const, title: words.closed }]),
  ]
}

const names = (labels: readonly { name: string }[] | undefined) =>
  (labels ?? []).map(({ name }) => name)

/** The lists of a board after one of them has moved to another place among them. */
export function withListMoved(
  lists: readonly BoardList[],
  list: BoardList,
  position: number,
): BoardList[] {
  const others = [...lists]
    .sort((one, other) => one.position - other.position)
    .filter(({ id }) => id !== list.id)
  const moved = [...others.slice(0, position), list, ...others.slice(position)]
  return moved.map((one, at) => ({ ...one, position: at }))
}

/** What the issues of a list are found by, within what the board is limited to. */
export function columnInput(place: Place, board: Board, { kind, list }: Column) {
  const labels = [...names(board.labels), ...(list ? [list.label.name] : [])]
  const others = kind === 'open' ? board.lists.map(({ label }) => label.name) : []
  const { milestone, assignee, weight } = board
  return {
    id: place.id,
    state: kind === 'closed' ? ('closed' as const) : ('opened' as const),
    order_by: 'relative_position' as const,
    sort: 'asc' as const,
    with_labels_details: true,
    ...(place.kind === 'group' ? { non_archived: true } : {}),
    ...(labels.length > 0 ? { labels } : {}),
    ...(others.length > 0 ? { not: { labels: others } } : {}),
    ...(milestone ? { milestone: milestone.title } : {}),
    ...(assignee ? { assignee_username: [assignee.username] } : {}),
    ...(typeof weight === 'number' ? { weight: String(weight) } : {}),
  }
}

/** What a new issue needs to be in a list. */
export function newIssueFields(board: Board, { list }: Column) {
  const labels = [...names(board.labels), ...(list ? [list.label.name] : [])]
  return {
    ...(labels.length > 0 ? { labels } : {}),
    ...(board.milestone ? { milestone_id: board.milestone.id } : {}),
    ...(board.assignee ? { assignee_id: board.assignee.id } : {}),
    ...(typeof board.weight === 'number' ? { weight: board.weight } : {}),
  }
}

/**
 * Reads lists on the page again; all others when they are next shown. Resolves when what the lists show is newer than this
 * call.
 */
export async function reloadIssues(
  place: Place,
  board: Board,
  columns: readonly Column[],
): Promise<void> {
  const inputs = columns.map((column) => columnInput(place, board, column))
  const urls = listUrlsInUse().filter((url) => inputs.some((input) => isPageOf(url, input)))
  invalidate(`${pathOf(place)}/issues/`, ...urls)
  await Promise.all(
    urls.map(async (url) => {
      const entry = getOrCreateEntry(url)
      await entry.pending
      // A read that was under way before may have brought what was true before.
      if (entry.isStale && !entry.refusal) await refresh(entry)
    }),
  )
}

/** Whether a URL is of a page of the list. */
function isPageOf(url: string, { state, labels = [], not }: ReturnType<typeof columnInput>) {
  const { pathname, searchParams } = new URL(url, location.href)
  const isSame = (name: string, values: readonly string[]) =>
    searchParams.getAll(name).sort().join('\0') === [...values].sort().join('\0')
  return (
    pathname.endsWith('/issues') &&
    isSame('state', [state]) &&
    isSame('labels[]', labels) &&
    isSame('not[labels][]', not?.labels ?? [])
  )
}

export const issuesPath = (place: Place) => `${pathOf(place)}/issues`

/** How long after a move its event may arrive. */
const event_ms_max = 2_000

/** Until when events of issues that this page has moved say nothing new to it, by the id of the issue. */
const moved = new Map<number, number>()

/** Records that this page moves the issue now; returns what to call when its lists are reloaded. */
export function recordOwnMove(id: number): () => void {
  moved.set(id, Number.POSITIVE_INFINITY)
  return () => moved.set(id, performance.now() + event_ms_max)
}

/** Whether this page has moved all of the issues just now. */
export function isOwnMove(ids: readonly number[]): boolean {
  for (const [id, until] of moved) if (until < performance.now()) moved.delete(id)
  return ids.every((id) => moved.has(id))
}
