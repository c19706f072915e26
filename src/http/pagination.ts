// Pages and their headers (docs/api/conventions.md, "Pages").

import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import { Answer } from './answer.ts'
import { credentialParameters } from './credentials.ts'
import type { RawParameters } from './parameters.ts'

export type PageInput = { page?: number; per_page?: number }

/** The rows of a page: at most 100, and from page 1 on, whatever was requested. */
export type PageRange = { page: number; per_page: number; offset: number }

export function pageRange({ page = 1, per_page = limits.per_page_default }: PageInput): PageRange {
  const size = per_page < 1 ? limits.per_page_default : Math.min(per_page, limits.per_page_max)
  const number = Math.max(page, 1)
  return { page: number, per_page: size, offset: (number - 1) * size }
}

type PageRequest = {
  baseUrl: string
  request: { path: string; pathParameters: RawParameters; query: RawParameters }
  /** The declared parameters with their defaults. */
  input: RawParameters
}

/** The response of a list: the items of the requested page, and the total if it was counted. */
export class Page {
  readonly items: readonly unknown[]
  readonly total: number | undefined
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>

  constructor({
    items,
    total,
    headers = {},
  }: {
    items: readonly unknown[]
    total: number | undefined
    headers?: Readonly<Record<string, string>>
  }) {
    this.items = items
    this.total = total
    this.headers = headers
  }
}

/** Returns a page of a list that is in memory. Its length is the total. */
export function slicePage(items: readonly unknown[], { offset, per_page }: PageRange): Page {
  return new Page({ items: items.slice(offset, offset + per_page), total: items.length })
}

/**
 * The list with `X-*` and `Link` headers. Without a total (more than 10,000 rows, or a commit list)
 * `X-Total`, `X-Total-Pages` and `rel="last"` are left out, and a full page counts as followed by another.
 */
export function pagedAnswer(
  context: PageRequest,
  range: PageRange,
  { items, total, headers: further }: Pick<Page, 'items' | 'total'> & Partial<Page>,
): Answer {
  const { page: number, per_page } = range
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / per_page))
  const hasNext = last === undefined ? items.length === per_page : number < last
  const next = hasNext ? number + 1 : undefined
  // Pages past the end have no previous or next page.
  const previous = number > 1 && (last === undefined || number <= last) ? number - 1 : undefined
  const link = (to: number, rel: string) => `<${pageUrl(context, { page: to })}>; rel="${rel}"`
  const links = [
    previous && link(previous, 'prev'),
    next && link(next, 'next'),
    link(1, 'first'),
    last && link(last, 'last'),
  ]
  const headers: Record<string, string> = {
    ...further,
    link: links.filter(Boolean).join(', '),
    'x-next-page': next ? String(next) : '',
    'x-page': String(number),
    'x-per-page': String(per_page),
    'x-prev-page': previous ? String(previous) : '',
  }
  if (total !== undefined && last !== undefined) {
    headers['x-total'] = String(total)
    headers['x-total-pages'] = String(last)
  }
  return Answer.json(200, items, headers)
}

/** Returns a page of keyset pagination. It has only `Link: rel="next"`, on every page that is not empty. */
export function keysetAnswer(
  context: PageRequest,
  items: unknown[],
  next: RawParameters,
  further: Readonly<Record<string, string>> = {},
): Answer {
  const headers: Record<string, string> = { ...further }
  if (items.length > 0) headers.link = `<${pageUrl(context, next)}>; rel="next"`
  return Answer.json(200, items, headers)
}

function pageUrl({ baseUrl, request, input }: PageRequest, changes: RawParameters): string {
  // All parameters known to the request; `per_page` is repeated as the client sent it, not as it was cut.
  const parameters: RawParameters = {
    ...input,
    ...request.query,
    ...request.pathParameters,
    ...changes,
  }
  const query = Object.keys(parameters)
    .filter((name) => !credentialParameters.has(name))
    .sort()
    .flatMap((name) => encode(name, ownValue(parameters, name)))
    .join('&')
  return `${baseUrl}${request.path}?${query}`
}

function encode(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => encode(`${name}[]`, item))
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) => encode(`${name}[${key}]`, inner))
  }
  return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`]
}
