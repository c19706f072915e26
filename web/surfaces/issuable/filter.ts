// What lists of issues and merge requests are filtered by: read from the address, in the names that people have in
// their bookmarks, and given to the API in its own.

export type IssuableFilter = {
  state: string
  search: string
  author: string
  assignee: string
  reviewer: string
  milestone: string
  labels: readonly string[]
  notLabels: readonly string[]
  notAuthor: string
  confidential: string
  due: string
  createdAfter: string
  createdBefore: string
  sort: string
}

/** Names in the address, of one value each. */
const names = {
  state: 'state',
  search: 'search',
  author: 'author_username',
  assignee: 'assignee_username',
  reviewer: 'reviewer_username',
  milestone: 'milestone_title',
  notAuthor: 'not[author_username]',
  confidential: 'confidential',
  due: 'due_date',
  createdAfter: 'created_after',
  createdBefore: 'created_before',
  sort: 'sort',
} as const
/** Names in the address that come once for each value. */
const listNames = { labels: 'label_name[]', notLabels: 'not[label_name][]' } as const

export type IssuableFilterName = keyof typeof names | keyof typeof listNames

const isList = (name: IssuableFilterName): name is keyof typeof listNames => name in listNames

export function parseIssuableFilter({ searchParams }: URL): IssuableFilter {
  const one = (name: keyof typeof names) => searchParams.get(names[name]) ?? ''
  return {
    state: one('state') || 'opened',
    search: one('search'),
    author: one('author'),
    assignee: one('assignee'),
    reviewer: one('reviewer'),
    milestone: one('milestone'),
    labels: searchParams.getAll(listNames.labels),
    notLabels: searchParams.getAll(listNames.notLabels),
    notAuthor: one('notAuthor'),
    confidential: one('confidential'),
    due: one('due'),
    createdAfter: one('createdAfter'),
    createdBefore: one('createdBefore'),
    sort: one('sort') || 'created_date',
  }
}

/** The address with some of the filter changed, on the first page of its list. */
export function urlWithIssuableFilter(
  url: URL,
  changes: Partial<Record<IssuableFilterName, string | readonly string[]>>,
): string {
  const query = new URLSearchParams(url.search)
  query.delete('page')
  for (const [name, value] of Object.entries(changes) as [
    IssuableFilterName,
    string | string[],
  ][]) {
    const key = isList(name) ? listNames[name] : names[name]
    query.delete(key)
    for (const one of [value].flat()) if (one !== '') query.append(key, one)
  }
  const text = query.toString()
  return url.pathname + (text === '' ? '' : `?${text}`)
}

const orders = {
  created_date: ['created_at', 'desc'],
  created_asc: ['created_at', 'asc'],
  updated_desc: ['updated_at', 'desc'],
  updated_asc: ['updated_at', 'asc'],
  priority: ['priority', 'asc'],
  popularity: ['popularity', 'desc'],
  milestone_due: ['milestone_due', 'asc'],
  title_asc: ['title', 'asc'],
} as const

type Order = (typeof orders)[keyof typeof orders]

const orderOf = (sort: string): Order =>
  Object.hasOwn(orders, sort) ? orders[sort as keyof typeof orders] : orders.created_date

const isUser = (name: string) => name !== '' && !/^(?:None|Any)$/i.test(name)

/** What issues and merge requests have alike. */
function commonInput(filter: IssuableFilter) {
  const { search, author, milestone, labels, notLabels, notAuthor } = filter
  const not = {
    ...(notLabels.length > 0 ? { labels: [...notLabels] } : {}),
    ...(notAuthor ? { author_username: notAuthor } : {}),
  }
  return {
    ...(search ? { search } : {}),
    ...(author ? { author_username: author } : {}),
    ...(milestone ? { milestone } : {}),
    ...(labels.length > 0 ? { labels: [...labels] } : {}),
    ...(filter.createdAfter ? { created_after: filter.createdAfter } : {}),
    ...(filter.createdBefore ? { created_before: filter.createdBefore } : {}),
    ...(notLabels.length > 0 || notAuthor ? { not } : {}),
  }
}

export function issueFilterInput(filter: IssuableFilter) {
  const { assignee, confidential, due } = filter
  return {
    ...commonInput(filter),
    ...(isUser(assignee) ? { assignee_username: [assignee] } : {}),
    ...(assignee && !isUser(assignee) ? { assignee_id: assignee } : {}),
    ...(confidential ? { confidential: confidential === 'yes' } : {}),
    ...(due ? { due_date: due } : {}),
  }
}

export function issueListInput(filter: IssuableFilter) {
  const [order_by, sort] = orderOf(filter.sort)
  return {
    ...issueFilterInput(filter),
    state: stateOf<'opened' | 'closed' | 'all'>(filter.state),
    order_by,
    sort,
    with_labels_details: true,
  }
}

export function mergeRequestListInput(filter: IssuableFilter) {
  const [order_by, sort] = orderOf(filter.sort)
  const { assignee, reviewer } = filter
  return {
    ...commonInput(filter),
    ...(isUser(assignee) ? { assignee_username: [assignee] } : {}),
    ...(assignee && !isUser(assignee) ? { assignee_id: assignee } : {}),
    ...(isUser(reviewer) ? { reviewer_username: reviewer } : {}),
    ...(reviewer && !isUser(reviewer) ? { reviewer_id: reviewer } : {}),
    state: stateOf<'opened' | 'closed' | 'merged' | 'all'>(filter.state),
    order_by,
    sort,
    with_labels_details: true,
  }
}

const stateOf = <T extends string>(state: string): T =>
  (/^(?:opened|closed|merged|all)$/.test(state) ? state : 'opened') as T

/** Whether anything but state and order is asked for. */
export function hasActiveIssuableFilter(filter: IssuableFilter): boolean {
  const { state: _state, sort: _sort, ...rest } = filter
  return Object.values(rest).some((value) => value.length > 0)
}
