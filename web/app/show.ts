// Shows a page: loads its chunk and its data in parallel, and keeps the old page until both are there.
import { batch, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import {
  type CacheEntry,
  getOrCreateCacheEntry,
  refreshCacheEntry,
  setCachedData,
} from '../api/cache.ts'
import type { Answer } from '../api/call.ts'
import { importChunk, reconnect, reloadForNewBuild } from '../api/connection.ts'
import { groupInput } from '../api/group.ts'
import { findCachedProject, mayInProject, projectInput } from '../api/project.ts'
import { Refusal } from '../api/refusal.ts'
import { askSignInIfEnded, isAdministrator, user } from '../api/session.ts'
import { apiReadUrl, prefetchUrls } from '../api/use-api.ts'
import { currentUrl, navigate, shownUrl, signInUrl } from '../ui/navigation.ts'
import type { PageLocation, PageModule, Place } from '../ui/page-module.ts'
import { placeBasePath } from '../ui/project-address.ts'
import { derivePlace } from './derive-place.ts'
import {
  findRoute,
  findSectionPage,
  isPlaceForSignedIn,
  type LoadPage,
  requiredAbilityForPlace,
} from './routes.ts'

export type ShownPage =
  | { kind: 'page'; at: PageLocation; View: ComponentType<{ at: PageLocation }> }
  | { kind: 'refusal'; at: PageLocation; refusal: Refusal }
  | { kind: 'nothing'; at: PageLocation }
  | { kind: 'fault'; at: PageLocation; error: unknown }

export const shownPage = signal<ShownPage | undefined>(undefined)
/** Set when a page takes so long to load that a message is shown. */
export const isPageLoadSlow = signal(false)

const slow_ms = 150
/** How often a page is loaded again after the server responds. */
const tries_max = 3
let turn = 0

/** Shows an address; of several under way, the last one wins. */
export async function showPageAt(url: URL): Promise<void> {
  const mine = ++turn
  const timer = setTimeout(() => {
    isPageLoadSlow.value = true
  }, slow_ms)
  const isWanted = () => mine === turn
  let next = await prepare(url, isWanted)
  for (let tries = 0; tries < tries_max && isOffline(next) && mine === turn; tries++) {
    await reconnect()
    next = await prepare(url, isWanted)
  }
  clearTimeout(timer)
  if (mine !== turn || reloadForNewBuild()) return
  // For a reader whose session has ended, private pages look hidden, as they do for visitors.
  const isHidden =
    next?.kind === 'nothing' ||
    (next?.kind === 'refusal' && [403, 404].includes(next.refusal.status))
  if (isHidden && (await askSignInIfEnded())) next = await prepare(url, isWanted)
  if (mine !== turn) return
  // Scrolled before the change, since the old page is already laid out; scrolling later would lay out the new
  // page before it is painted.
  if (next && shownPage.peek()?.at.url.pathname !== url.pathname) scrollTo(0, 0)
  batch(() => {
    isPageLoadSlow.value = false
    if (next) {
      shownPage.value = next
      shownUrl.value = next.at.url
    }
  })
}

function isOffline(next: ShownPage | undefined): boolean {
  return next?.kind === 'refusal' && next.refusal.isOffline
}

/** Has the chunk and the data of an address at hand, for a link that is about to be followed. */
export function prefetchPage(url: URL): void {
  void prepare(url, () => false)
}

/**
 * Returns whether an address is still to be shown, and was not left or only prefetched. Only then may it
 * redirect.
 */
type IsWanted = () => boolean

/** Returns undefined if the address redirects to another one. */
async function prepare(url: URL, isWanted: IsWanted): Promise<ShownPage | undefined> {
  const found = findRoute(url.pathname.replace(/(?<=.)\/$/, ''))
  if (found.kind === 'redirect') return leave(withQueryOf(found.to, url), isWanted)
  const signedIn = user.value
  if (signedIn?.password_expired && url.pathname !== '/-/profile/password') {
    return leave('/-/profile/password', isWanted)
  }
  if (found.kind === 'page') {
    if (found.isForSignedIn && !signedIn) return leave(signInUrl(url), isWanted)
    if (found.isForAdministrators && !isAdministrator()) {
      return { kind: 'nothing', at: { url, params: found.params } }
    }
    const load = (!signedIn && found.forVisitors) || found.load
    return build({ url, params: found.params }, { load, isWanted })
  }
  const path = url.pathname
  const entry = getOrCreatePlaceEntry(path)
  // The place may have moved with a write since it was cached.
  const known = entry.isStale ? undefined : placeOf(entry)
  const derived = known ? undefined : derive(path)
  if (!known && !derived) await refreshPlaceEntry(entry)
  const place = derived?.place ?? placeOf(entry)
  const at = { url, params: {} }
  if (!place) return { kind: 'refusal', at, refusal: entry.refusal as Refusal }
  if (place.canonical_path !== path && decodeURI(place.canonical_path) !== decodeURI(path)) {
    return leave(place.canonical_path + url.search + url.hash, isWanted)
  }
  if (!signedIn && isPlaceForSignedIn(place)) return leave(signInUrl(url), isWanted)
  const isSure = derived ? derived.isSure : !known
  // A change of only the line or tab of the present page does not check the place again.
  const isHere = shownPage.peek()?.at.url.pathname === path
  if (!isSure && !isHere && isWanted()) void lookAgain(url, place)
  return build({ url, params: {}, place }, { load: findSectionPage(place), isWanted })
}

type PlaceEntry = CacheEntry<Answer<'GET /resolve'>>

/**
 * Returns the cache entry for the place of an address. It includes the record of the project or group, which
 * the frame needs.
 */
function getOrCreatePlaceEntry(path: string): PlaceEntry {
  return getOrCreateCacheEntry(apiReadUrl('GET /resolve', { path, with_record: true }))
}

/** Resolves an address, and caches the record in the response as if it had been requested by itself. */
async function refreshPlaceEntry(entry: PlaceEntry): Promise<void> {
  const before_ms = entry.asked_ms
  await refreshCacheEntry(entry as CacheEntry)
  // A record from an older response may be older than one that was read since.
  if (entry.asked_ms === before_ms || entry.refusal) return
  const { kind, id, project, group } = entry.answer?.data ?? {}
  if (kind === 'project' && id)
    setCachedData(apiReadUrl('GET /projects/:id', projectInput(id)), project)
  if (kind === 'group' && id) setCachedData(apiReadUrl('GET /groups/:id', groupInput(id)), group)
}

function placeOf({ answer }: PlaceEntry): Place | undefined {
  if (!answer) return undefined
  const { project: _project, group: _group, ...place } = answer.data
  return place
}

/**
 * Derives a place from the present page. A guess is used only if nothing was written since the present place
 * was resolved.
 */
function derive(path: string): ReturnType<typeof derivePlace> {
  // `peek` does not subscribe: otherwise the next page would trigger this again.
  const { place, url } = shownPage.peek()?.at ?? {}
  if (!place || !url) return undefined
  const derived = derivePlace(path, place, placeBasePath(place))
  return derived?.isSure || !getOrCreatePlaceEntry(url.pathname).isStale ? derived : undefined
}

/** Appends the query of one address to another. */
function withQueryOf(to: string, { search, hash }: URL): string {
  return to + (to.includes('?') ? search.replace('?', '&') : search) + hash
}

function leave(to: string, isWanted: IsWanted): undefined {
  if (isWanted()) navigate(to, { replace: true })
  return undefined
}

/** Checks whether a known place has moved, and if so shows its page again. */
async function lookAgain(url: URL, known: Place): Promise<void> {
  const entry = getOrCreatePlaceEntry(url.pathname)
  await refreshPlaceEntry(entry)
  const now = placeOf(entry)
  const isSame = now && JSON.stringify(now) === JSON.stringify(known)
  if (!isSame && currentUrl.value.pathname === url.pathname) void showPageAt(currentUrl.value)
}

/** Pages that are already loaded, since importing one again takes the browser some time. */
const loaded = new Map<LoadPage, PageModule>()

async function build(
  at: PageLocation,
  { load, isWanted }: { load: LoadPage; isWanted: IsWanted },
): Promise<ShownPage | undefined> {
  try {
    // The reader may have got access in the meantime.
    if (isClosed(at))
      await Promise.all(frameCalls(at).map((url) => refreshCacheEntry(getOrCreateCacheEntry(url))))
    if (isClosed(at)) return { kind: 'nothing', at }
    const frame = prefetchUrls(frameCalls(at))
    const page = loaded.get(load) ?? (await importChunk(load)).page
    loaded.set(load, page)
    const to = await page.forward?.(at)
    if (to !== undefined) return leave(to, isWanted)
    if (page.forward && !page.calls && !page.prepare) return { kind: 'nothing', at }
    const needs = (page.calls?.(at) ?? []).filter((url) => typeof url === 'string')
    await Promise.all([frame, prefetchUrls(needs), page.prepare?.(at).catch(() => undefined)])
    if (isClosed(at)) return { kind: 'nothing', at }
    const refusal = needs
      .map((url) => getOrCreateCacheEntry(url))
      .find((entry) => !entry.answer)?.refusal
    return refusal ? { kind: 'refusal', at, refusal } : { kind: 'page', at, View: page.View }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refusal', at, refusal: error }
    return { kind: 'fault', at, error }
  }
}

/** Returns whether the reader is known to lack the ability that the page requires. */
function isClosed({ place }: PageLocation): boolean {
  const ability = place && requiredAbilityForPlace(place)
  const project = ability && findCachedProject(place.id)
  return project ? !mayInProject(project, ability) : false
}

/** Returns the requests of the frame around a page. */
function frameCalls({ place }: PageLocation): string[] {
  if (place?.kind === 'project') return [apiReadUrl('GET /projects/:id', projectInput(place.id))]
  if (place?.kind === 'group') return [apiReadUrl('GET /groups/:id', groupInput(place.id))]
  return []
}
