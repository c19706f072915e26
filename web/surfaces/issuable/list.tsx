// The body of a list of issues or merge requests: its filters, its rows, and what changes many of them at once.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { invalidate } from '../../api/cache.ts'
import { user } from '../../api/session.ts'
import { useApiUrl } from '../../api/use-api.ts'
import { EmptyState, LoadingRows } from '../../ui/blank/blank.tsx'
import { ButtonLink } from '../../ui/button/button.tsx'
import { useKeepFocusInList } from '../../ui/kept-focus.ts'
import { List } from '../../ui/list/list.tsx'
import { currentUrl } from '../../ui/navigation.ts'
import { Pager } from '../../ui/pager/pager.tsx'
import { RefusalNote } from '../../ui/refusal/refusal.tsx'
import { BulkBar, type BulkIssuableChanges, type RowSelection, useRowSelection } from './bulk.tsx'
import { hasActiveIssuableFilter, parseIssuableFilter } from './filter.ts'
import { type FilterFinders, IssuableFilterBar } from './filter-bar.tsx'

type Thing = { id: number; iid: number; project_id: number; title: string }

type Words = {
  title: string
  search: string
  empty: string
  emptyText: string
  noMatches: string
  noMatchesText: string
  new: string
}

/** What the lists of a project, of a group and of all projects differ in. */
export type IssuableListSource = {
  finds: FilterFinders
  /** Undefined of lists of many projects, whose rows name theirs. */
  projectId?: number
  mayChange?: boolean
  /** Where a new one is made, by those who may. */
  newHref?: string | undefined
}

export function IssuableList<T extends Thing>({
  kind,
  url,
  words,
  of: { finds, mayChange = false, newHref },
  change,
  stale,
  row,
  children,
}: {
  kind: 'issue' | 'merge_request'
  /** Of the list. */
  url: string
  words: Words
  of: IssuableListSource
  /** Changes one of those selected. Throws `Refusal`. */
  change: (thing: T, changes: BulkIssuableChanges) => Promise<unknown>
  /** The list of all projects, which changes make stale as well as those of projects and groups. */
  stale: string
  row: (thing: T, selection: RowSelection<T> | undefined) => ComponentChildren
  /** Between the filters and the rows. */
  children?: ComponentChildren
}) {
  const { data, page, refusal, again } = useApiUrl<T[]>(url)
  const filter = parseIssuableFilter(currentUrl.value)
  const selection = useRowSelection(data ?? [])
  const rows = useRef<HTMLDivElement>(null)
  useKeepFocusInList(rows, { row: '.list-row', main: 'a[data-main]' })
  const isFiltered = hasActiveIssuableFilter(filter) || filter.state !== 'opened'
  return (
    <>
      <IssuableFilterBar kind={kind} searchLabel={words.search} finds={finds} />
      {children}
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        isFiltered ? (
          <EmptyState title={words.noMatches}>
            <p>{words.noMatchesText}</p>
          </EmptyState>
        ) : (
          <EmptyState title={words.empty}>
            <p>{words.emptyText}</p>
            <NewIssuableButton words={words} href={newHref} />
          </EmptyState>
        )
      ) : null}
      {data && data.length > 0 ? (
        <div ref={rows}>
          <List label={words.title}>
            {data.map((thing) => row(thing, mayChange && user.value ? selection : undefined))}
          </List>
        </div>
      ) : null}
      {mayChange ? (
        <BulkBar
          selection={selection}
          finds={finds}
          change={change}
          onDone={() => invalidate('/api/v4/projects/', '/api/v4/groups/', stale)}
        />
      ) : null}
      <Pager page={page} />
    </>
  )
}

export function NewIssuableButton({
  words,
  href,
}: {
  words: Pick<Words, 'new'>
  href: string | undefined
}) {
  return href ? (
    <ButtonLink look="primary" href={href}>
      {words.new}
    </ButtonLink>
  ) : null
}
