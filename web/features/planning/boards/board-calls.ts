// What boards ask of the server, for a project and for a group.
import { getOrCreateCacheEntry, invalidate, listUrlsInUse } from '../../../api/cache.ts'
import type { Board, BoardList } from '../../../api/operations.ts'
import { apiReadUrl } from '../../../api/use-api.ts'
import type { issueFilterInput } from '../../../surfaces/issuable/filter.ts'
import { boards as words } from '../../../text/boards.ts'
import { currentUrl } from '../../../ui/navigation.ts'
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
  members: 'GET /projects/:id/members/all',
  milestones: 'GET /projects/:id/milestones',
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
  members: 'GET /groups/:id/members/all',
  milestones: 'GET /groups/:id/milestones',
} as const

export const boardRoutesOf = ({ kind }: Place) => (kind === 'group' ? ofGroup : ofProject)

export const boardsInput = ({ id }: Place) => ({ id, per_page: 100 })

const pathOf = ({ kind, id }: Place) => `/api/v4/${kind}s/${id}`

export const boardsApiPath = (place: Place) => `${pathOf(place)}/boards`

export const invalidateBoards = (place: Place) => invalidate(boardsApiPath(place))

/**
 * A list of a board: the open issues of a label, an assignee or a milestone, those of none of the board's lists, or those
 * that are closed.
 */
export type BoardColumnOfIssues = {
  key: string
  kind: 'open' | 'list' | 'closed'
  title: string
} & {
  list?: BoardList
}

export const titleOfBoardList = ({ label, assignee, milestone }: BoardList): string =>
  label?.name ?? assignee?.name ?? milestone?.title ?? ''

const kindOfList = ({ label, assignee }: BoardList) =>
  label ? 'label' : assignee ? 'assignee' : 'milestone'

/** Whether an issue that is in one list and moved to the other leaves the first. */
export function leavesColumnWhenMoved(
  { kind, list }: BoardColumnOfIssues,
  to: BoardColumnOfIssues,
): boolean {
  // What has a label stays in the list of the label when it is given an assignee or a milestone.
  return kind !== 'list' || !list || !to.list || kindOfList(list) === kindOfList(to.list)
}

export function columnsOfBoard(board: Board): BoardColumnOfIssues[] {
  const { lists, hide_backlog_list, hide_closed_list } = board
  const sorted = [...lists].sort((one, other) => one.position - other.position)
  return [
    ...(hide_backlog_list ? [] : [{ key: 'open', kind: 'open' as const, title: words.open }]),
    ...sorted.map((list) => ({
      key: `list-${list.id}`,
      kind: 'list' as const,
      title: titleOfBoardList(list),
      list,
    })),
    ...(hide_closed_list ? [] : [{ key: 'closed', kind: 'closed' as const, title: words.closed }]),
  ]
}

const names = (labels: readonly ({ name: string } | null)[] | undefined) =>
  (labels ?? []).flatMap((label) => label?.name ?? [])

/** The lists of a board after one of them has moved to another place among them. */
export function boardListsAfterMove(
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

export type BoardIssueFilter = ReturnType<typeof issueFilterInput>

/**
 * What the issues of a list are found by, within what the board is limited to and filtered by; undefined where nothing can
 * be in the list.
 */
export function issueListInputOfColumn(
  place: Place,
  board: Board,
  { kind, list }: BoardColumnOfIssues,
  { not, ...filter }: BoardIssueFilter,
) {
  const { weight } = board
  const milestone = list?.milestone?.title ?? board.milestone?.title
  const labels = names([...(board.labels ?? []), list?.label ?? null])
  const assignees = [board.assignee, list?.assignee].flatMap((one) => one?.username ?? [])
  // An issue has one milestone, and is not at once assigned to somebody and to nobody.
  if (milestone && filter.milestone && !/^any$/i.test(filter.milestone)) {
    if (filter.milestone !== milestone) return undefined
  }
  if (assignees.length > 0 && /^none$/i.test(filter.assignee_id ?? '')) return undefined
  const { assignee_id, ...rest } = filter
  const all = {
    labels: [...(filter.labels ?? []), ...labels],
    assignee_username: [...(filter.assignee_username ?? []), ...assignees],
  }
  const excluded = kind === 'open' ? withListed(not, board) : not
  return {
    id: place.id,
    state: kind === 'closed' ? ('closed' as const) : ('opened' as const),
    order_by: 'relative_position' as const,
    sort: 'asc' as const,
    with_labels_details: true,
    ...(place.kind === 'group' ? { non_archived: true } : {}),
    ...rest,
    ...(assignee_id && assignees.length === 0 ? { assignee_id } : {}),
    ...(milestone ? { milestone } : {}),
    ...(all.labels.length > 0 ? { labels: all.labels } : {}),
    ...(all.assignee_username.length > 0 ? { assignee_username: all.assignee_username } : {}),
    ...(excluded ? { not: excluded } : {}),
    ...(typeof weight === 'number' ? { weight: String(weight) } : {}),
  }
}

/** Leaves out what is in the lists of a board, beside what a filter leaves out. */
function withListed(not: BoardIssueFilter['not'], { lists }: Board) {
  const labels = [...(not?.labels ?? []), ...names(lists.map(({ label }) => label))]
  const assignee_username = lists.flatMap(({ assignee }) => assignee?.username ?? [])
  const milestone_ids = lists.flatMap(({ milestone }) => milestone?.id ?? [])
  if (lists.length === 0) return not
  return {
    ...not,
    ...(labels.length > 0 ? { labels } : {}),
    ...(assignee_username.length > 0 ? { assignee_username } : {}),
    ...(milestone_ids.length > 0 ? { milestone_ids } : {}),
  }
}

/** What a new issue needs to be in a list. */
export function newIssueFieldsOfColumn(board: Board, { list }: BoardColumnOfIssues) {
  const labels = names([...(board.labels ?? []), list?.label ?? null])
  const assignee_ids = [board.assignee, list?.assignee].flatMap((one) => one?.id ?? [])
  const milestone = list?.milestone ?? board.milestone
  return {
    ...(labels.length > 0 ? { labels } : {}),
    ...(milestone ? { milestone_id: milestone.id } : {}),
    ...(assignee_ids.length > 0 ? { assignee_ids } : {}),
    ...(typeof board.weight === 'number' ? { weight: board.weight } : {}),
  }
}

/**
 * Reads lists on the page again; all others when they are next shown. Resolves when what the lists show is newer than this
 * call.
 */
export async function reloadBoardIssues(
  place: Place,
  board: Board,
  columns: readonly BoardColumnOfIssues[],
): Promise<void> {
  const filter = boardFilter()
  const urlOf = (column: BoardColumnOfIssues) => {
    const input = issueListInputOfColumn(place, board, column, filter)
    return input ? [new URL(apiReadUrl(boardRoutesOf(place).issues, input), location.href)] : []
  }
  // What tells the lists of the board apart. The URL of a further page is the server's, and has more in it.
  const names = new Set(columnsOfBoard(board).flatMap(urlOf).flatMap(namesIn))
  const asked = columns.flatMap(urlOf)
  const urls = listUrlsInUse().filter((text) => {
    const url = new URL(text, location.href)
    return asked.some((one) => isSameList(one, url, names))
  })
  invalidate(`${pathOf(place)}/issues/`, ...urls)
  await Promise.all(
    urls.map(async (url) => {
      const entry = getOrCreateCacheEntry(url)
      // A request that was under way may return old data; another one follows it.
      while (entry.pending) await entry.pending
    }),
  )
}

const namesIn = ({ searchParams }: URL) => [...searchParams.keys()]

function isSameList(one: URL, other: URL, names: ReadonlySet<string>): boolean {
  const valuesOf = ({ searchParams }: URL, name: string) =>
    searchParams.getAll(name).sort().join('\0')
  return (
    one.pathname === other.pathname &&
    [...names].every((name) => valuesOf(one, name) === valuesOf(other, name))
  )
}

let readFilter: ((url: URL) => BoardIssueFilter) | undefined

/** Fetches what reads and changes the filters of an address: the board of most addresses has none. */
export async function loadBoardFilter() {
  const filter = await import('./board-filter.tsx')
  readFilter = filter.parseBoardFilter
  return filter.BoardFilterBar
}

/** What the address filters the board by. */
export const boardFilter = (): BoardIssueFilter => readFilter?.(currentUrl.value) ?? {}

export const issuesApiPath = (place: Place) => `${pathOf(place)}/issues`

/** How long after a move its event may arrive. Until then it reloads the board a little later than other events do. */
const event_ms_max = 2_000

/** Until when events of issues that this page has moved are taken for its own, by the id of the issue. */
const moved = new Map<number, number>()

/** Records that this page moves the issue now; returns what to call when its lists are reloaded. */
export function recordOwnIssueMove(id: number): () => void {
  moved.set(id, Number.POSITIVE_INFINITY)
  return () => moved.set(id, performance.now() + event_ms_max)
}

/** Whether this page has moved all of the issues just now. */
export function isOwnIssueMove(ids: readonly number[]): boolean {
  for (const [id, until] of moved) if (until < performance.now()) moved.delete(id)
  return ids.every((id) => moved.has(id))
}
