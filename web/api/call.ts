// The one place that speaks to the server: an operation by its route, its parameters in one bag.
import type { Operations } from './operations.ts'
import { Refusal } from './refusal.ts'

export type Route = keyof Operations & string
export type Input<R extends Route> = Operations[R]['input']
export type Answer<R extends Route> = Operations[R]['answer']
export type ReadRoute = Extract<Route, `GET ${string}`>

/** An answer with what its headers say of pages and of how long it may be kept. */
export type ApiResponse<T> = {
  status: number
  data: T
  /** Characters of the answer, for the budget of the cache. */
  size: number
  tag: string | null
  isFixed: boolean
  /** Whether the server is still looking for a part of the answer, or has left a part out. */
  isTruncated: boolean
  /** `last` is the number of the last page of the list; 0 where the server does not say it. */
  page: { total: number | null; last: number; next: string | null; prev: string | null }
}

const base = '/api/v4'
/** Whose session it is and the token that writes need, and who is asked when it is refused. */
const session = {
  account: undefined as number | undefined,
  csrf: '',
  renew: async () => false,
  signIn: async () => false,
}

/** Who is told that the server did not answer. */
const connection = { onUnreachable: () => {} }

/** Called by the connection alone. */
export function bindConnection(given: typeof connection): void {
  Object.assign(connection, given)
}

/** Called by the session alone: who knows the token, who asks people to sign in again. */
export function bindSession(given: Partial<typeof session>): void {
  Object.assign(session, given)
}

/** The URL of a read, under which the cache keeps it. */
export function untypedApiUrl(route: string, input: object = {}): string {
  const { url, rest } = placeInput(route, input)
  const query = queryOf(rest)
  return query === '' ? url : `${url}?${query}`
}

/** Does an operation; throws `Refusal`. */
export async function call<R extends Route>(
  route: R,
  ...[input]: Record<string, never> extends Input<R> ? [input?: Input<R>] : [input: Input<R>]
): Promise<Answer<R>> {
  const [method = ''] = route.split(' ', 1)
  if (method === 'GET') {
    return (await fetchUrl<Answer<R>>(untypedApiUrl(route, input ?? {}))).data
  }
  const { url, rest } = placeInput(route, input ?? {})
  const isForm = Object.values(rest).some((value) => value instanceof Blob)
  const request: RequestInit = {
    method,
    body: isForm ? formOf(rest) : JSON.stringify(rest),
    ...(isForm ? {} : { headers: { 'content-type': 'application/json' } }),
  }
  return (await send<Answer<R>>(url, request)).data
}

/** Reads a URL of the API; with `tag`, answers 304 and no data where nothing changed. */
export function fetchUrl<T>(
  url: string,
  { tag }: { tag?: string | null } = {},
): Promise<ApiResponse<T>> {
  return send<T>(url, tag ? { headers: { 'if-none-match': tag } } : {})
}

/** Bytes of an operation, or a part of them: `range` is a value of the header. */
export async function fetchBytes(
  url: string,
  { range, signal }: { range?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const response = await reach(url, {
    // Parts that a browser keeps are no help: what grows is another thing each time.
    ...(range ? { headers: { range }, cache: 'no-store' as const } : {}),
    signal: signal ?? null,
  })
  if (!response.ok && response.status !== 416) throw await refusalOf(response)
  return response
}

async function send<T>(
  url: string,
  request: RequestInit,
  isSecond = false,
): Promise<ApiResponse<T>> {
  const isWrite = request.method !== undefined
  const headers = new Headers(request.headers)
  const { csrf, account } = session
  if (isWrite && csrf !== '') headers.set('x-csrf-token', csrf)
  const response = await reach(url, { ...request, headers })
  if (response.status === 304) return describe(response, undefined as T, 0)
  if (response.ok) {
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return describe(response, (isJson && text !== '' ? JSON.parse(text) : text) as T, text.length)
  }
  const refusal = await refusalOf(response)
  // A write with an old token is one of a visitor: to them things of others are hidden, or not to be changed. Some operations say
  // 401 to who may not.
  const isOfVisitor = response.status === 401 || (isWrite && [403, 404].includes(response.status))
  if (isOfVisitor && !isSecond && !url.startsWith(`${base}/session`)) {
    const goesOn = (await session.renew())
      ? isWrite && session.csrf !== csrf
      : await session.signIn()
    if (goesOn) return sendAgain()
  }
  throw refusal

  /** Nothing is written for somebody whose page it is not. */
  function sendAgain(): Promise<ApiResponse<T>> {
    if (isWrite && session.account !== account) throw refusal.ofOtherAccount()
    return send(url, request, true)
  }
}

async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, request)
    if (!isOfProxy(response)) return response
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
  }
  connection.onUnreachable()
  throw new Refusal({ status: 0, body: { message: '' }, requestId: '' })
}

/** Whether a proxy answers that the server does not; the server itself names every request. */
function isOfProxy({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !headers.has('x-request-id')
}

const build_ms_max = 5_000

/** The scripts that the shell begins with; '' where the server names none, undefined where it does not answer. */
export async function fetchServedBuild(): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(build_ms_max)
    const response = await fetch('/', {
      headers: { accept: 'text/html' },
      cache: 'no-store',
      signal,
    })
    if (isOfProxy(response)) return undefined
    const scripts = (await response.text()).matchAll(/<script type="module"[^>]* src="([^"]+)"/g)
    return [...scripts].map(([, src = '']) => new URL(src, location.href).href).join(' ')
  } catch {
    return undefined
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  const text = await response.text()
  const requestId = response.headers.get('x-request-id') ?? ''
  return new Refusal({ status: response.status, body: parsed(text), requestId })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { message: text.slice(0, 500) }
  }
}

function describe<T>(response: Response, data: T, size: number): ApiResponse<T> {
  const { headers, status } = response
  const total = headers.get('x-total')
  return {
    status,
    data,
    size,
    tag: headers.get('etag'),
    isFixed: headers.get('cache-control')?.includes('immutable') ?? false,
    isTruncated: headers.get('x-truncated') === 'true',
    page: {
      total: total === null || total === '' ? null : Number(total),
      last: Number(headers.get('x-total-pages')),
      ...linksOf(headers.get('link') ?? ''),
    },
  }
}

/** The URLs of RFC 8288 that lists answer, as paths. */
function linksOf(header: string): { next: string | null; prev: string | null } {
  const links = { next: null as string | null, prev: null as string | null }
  for (const part of header.split(', ')) {
    const [, url = '', rel = ''] = /^<([^>]*)>; rel="(\w+)"$/.exec(part) ?? []
    if (rel === 'next' || rel === 'prev') {
      const { pathname, search } = new URL(url, location.href)
      links[rel] = pathname + search
    }
  }
  return links
}

/** Puts what the path of a route names into it; the rest is its query or body. */
function placeInput(route: string, input: object): { url: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...input }
  const [, path = ''] = /^[A-Z]+ (.*)$/.exec(route) ?? []
  const url = path.replace(/:(\w+)(?:\([^)]*\))?/g, (_all, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { url: base + url, rest }
}

/** Lists are `name[]`, records `name[of]`; what is absent is left out. */
function appendTo(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) for (const one of value) query.append(`${name}[]`, String(one))
  else if (typeof value === 'object')
    for (const [inner, one] of Object.entries(value)) appendTo(query, `${name}[${inner}]`, one)
  else query.append(name, String(value))
}

function queryOf(values: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    appendTo(query, name, value)
  }
  return query.toString()
}

function formOf(values: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue
    form.append(name, value instanceof Blob ? value : String(value))
  }
  return form
}
