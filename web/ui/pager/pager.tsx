// The way through a list that has pages; addresses are this page's own.
import type { Answered } from '../../api/call.ts'
import { count } from '../../text/numbers.ts'
import { ui } from '../../text/ui.ts'
import { here, withQuery } from '../navigation.ts'
import './pager.css'

/** `name` is the parameter of the page in the address. */
export function Pager({
  page,
  name = 'page',
}: {
  page: Answered<unknown>['page'] | undefined
  name?: string
}) {
  if (!page || (!page.next && !page.prev)) return null
  const number = Number(here.value.searchParams.get(name) ?? 1)
  return (
    <nav class="pager" aria-label={ui.pages}>
      {page.prev ? (
        <a class="button button-plain" rel="prev" href={withQuery({ [name]: String(number - 1) })}>
          {ui.previousPage}
        </a>
      ) : null}
      <span class="muted">
        {ui.pageNumber(number)}
        {page.total === null ? '' : ` · ${ui.total(count(page.total))}`}
      </span>
      {page.next ? (
        <a class="button button-plain" rel="next" href={withQuery({ [name]: String(number + 1) })}>
          {ui.nextPage}
        </a>
      ) : null}
    </nav>
  )
}
