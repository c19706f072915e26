// Where the browser is. Links are plain anchors: a click on one of ours does not load a page anew.
import { signal } from '@preact/signals'
import { sameOriginUrl } from './same-origin-url.ts'

export const currentUrl = signal(new URL(location.href))
/** The URL of the page that is shown: the previous one while the page of `currentUrl` loads. */
export const shownUrl = signal(currentUrl.value)

/** Addresses whose bytes come from the server itself. */
const native =
  /^\/(?:api|uploads|oauth)\/|^\/users\/(?:password\/edit|confirmation)$|\/-\/(?:raw|archive|assets|badges)\/|\/-\/jobs\/(?:\d+\/(?:raw$|artifacts\/(?:raw|download))|artifacts\/.+\/(?:raw\/|download$))|\/-\/(?:commit|merge_requests)\/\w+\.(?:diff|patch)$|\/-\/releases\/(?:permalink\/|.+\/downloads\/)|\/badges\/.+\.svg$|\/uploads\/[0-9a-f]{32}\/|^\/[^/]+\.(?:keys|gpg)$|^\/-\/pages\//

history.scrollRestoration = 'manual'

/** Goes to an address of ours, and for any other to the first page; `replace` leaves no way back to this one. */
export function navigate(to: string, { replace = false } = {}): void {
  const url = sameOriginUrl(to, currentUrl.value) ?? new URL('/', currentUrl.value)
  if (native.test(url.pathname)) {
    location.assign(url)
    return
  }
  rememberScroll()
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  currentUrl.value = url
}

/** Changes the address to say more of the state of the page, without a way back for each. */
export function replaceUrl(to: string): void {
  navigate(to, { replace: true })
}

function rememberScroll(): void {
  history.replaceState({ ...history.state, scroll: [scrollX, scrollY] }, '')
}

/** Where the page was scrolled to when it was left; undefined for one that is new. */
export function rememberedScroll(): [number, number] | undefined {
  return history.state?.scroll
}

/** The address of a link that this page would follow itself, or undefined. */
export function followedLinkUrl(event: MouseEvent | PointerEvent): URL | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined
  const [target] = event.composedPath()
  const link = target instanceof Element ? target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download'))
    return undefined
  const url = new URL(link.href)
  return url.origin === location.origin && !native.test(url.pathname) ? url : undefined
}

/** Takes over the clicks on links and the browser's own way back. */
export function listenForNavigation(): void {
  document.addEventListener('click', (event) => {
    const url = event.defaultPrevented ? undefined : followedLinkUrl(event)
    if (!url) return
    event.preventDefault()
    const isSamePlace =
      url.pathname === currentUrl.value.pathname && url.search === currentUrl.value.search
    navigate(url.href, { replace: isSamePlace && url.hash === currentUrl.value.hash })
    if (isSamePlace && url.hash !== '') scrollToHash(url.hash)
  })
  window.addEventListener('popstate', () => {
    currentUrl.value = new URL(location.href)
  })
  window.addEventListener('pagehide', rememberScroll)
}

export function scrollToHash(hash: string): boolean {
  const name = decodeURIComponent(hash.slice(1))
  // Names in rendered texts have a beginning of their own (docs/api/repository.md, "Rendered files").
  const target = document.getElementById(name) ?? document.getElementById(`user-content-${name}`)
  target?.scrollIntoView({ block: 'start' })
  return target !== null
}

/** The address of now with some of its query changed; undefined or '' takes a name out. */
export function currentUrlWithQuery(
  changes: Record<string, string | undefined>,
  url: URL = currentUrl.value,
): string {
  const query = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return url.pathname + (text === '' ? '' : `?${text}`)
}

/** Parts of a path, each encoded; slashes between them stay. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Where to sign in, to come back here. */
export function signInUrl(url: URL): string {
  return `/users/sign_in?return_to=${encodeURIComponent(url.pathname + url.search + url.hash)}`
}
