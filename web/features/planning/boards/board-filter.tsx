// The filters above a board, fetched once somebody opens them or the address has some.
import { issueFilterInput, parseIssuableFilter } from '../../../surfaces/issuable/filter.ts'
import { IssuableFilterBar } from '../../../surfaces/issuable/filter-bar.tsx'
import { issuableFilterFinders } from '../../../surfaces/issuable/issuable-filter-finders.ts'
import { issues as words } from '../../../text/issues.ts'
import type { Place } from '../../../ui/page-module.ts'

export const parseBoardFilter = (url: URL) => issueFilterInput(parseIssuableFilter(url))

export function BoardFilterBar({ place: { kind, id } }: { place: Place }) {
  return (
    <IssuableFilterBar
      isUnordered
      kind="issue"
      searchLabel={words.search}
      finds={kind === 'group' ? issuableFilterFinders.group(id) : issuableFilterFinders.project(id)}
    />
  )
}
