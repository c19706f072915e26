// The way through a list that has pages; addresses are this page's own.
import { useEffect } from 'preact/hooks'
import type { ApiResponse } from '../../api/call.ts'
import { formatCount } from '../../text/numbers.ts'
import { ui } from '../../text/ui.ts'
import { currentUrl, currentUrlWithQuery, replaceUrl, shownUrl } from '../navigation.ts'
import './pager.css'

/** `name` is the parameter of the page in the address. */
export function Pager({
  page,
  name = 'page',
}: {
  page: ApiResponse<unknown>['page'] | undefined
  name?: string
}) {
  const url = currentUrl.value
  const number = Number(url.searchParams.get(name) ?? 1)
  // The list may have become shorter since the page was bookmarked or shown.
  const last = page && url === shownUrl.value && number > page.last ? page.last : 0
  useEffect(() => {
    if (last) replaceUrl(currentUrlWithQuery({ [name]: last > 1 ? String(last) : '' }))
  }, [last])
  if (!page || (!page.next && !page.prev)) return null
  return (
    <nav class="pager" aria-label={ui.pages}>
      {page.prev ? (
        <a
          class="button button-plain"
          rel="prev"
          href={currentUrlWithQuery({ [name]: String(number - 1) })}
        >
          {ui.previousPage}
        </a>
      ) : null}
      <span class="muted">
        {ui.pageNumber(number)}
        {page.total === null ? '' : ` · ${ui.total(formatCount(page.total))}`}
      </span>
      {page.next ? (
        <a
          class="button button-plain"
          rel="next"
          href={currentUrlWithQuery({ [name]: String(number + 1) })}
        >
          {ui.nextPage}
        </a>
      ) : null}
    </nav>
  )
}
