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
/** Set while a page is on its way for so long that it is worth a word. */
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
  // To one whose session has ended, what is theirs is hidden as from any visitor.
  const isHidden =
    next?.kind === 'nothing' ||
    (next?.kind === 'refusal' && [403, 404].includes(next.refusal.status))
  if (isHidden && (await askSignInIfEnded())) next = await prepare(url, isWanted)
  if (mine !== turn) return
  // To scroll wants the page laid out: the old one is, the new one would have to be before it is painted.
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
 * Whether an address is still the one to be shown, and not one that was left or is only fetched ahead: only then may it lead to
 * another one.
 */
type IsWanted = () => boolean

/** Undefined where the address leads to another one. */
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
  // What was written since may have moved it.
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
  // A line or a tab of the page that is shown already is no reason to ask.
  const isHere = shownPage.peek()?.at.url.pathname === path
  if (!isSure && !isHere && isWanted()) void lookAgain(url, place)
  return build({ url, params: {}, place }, { load: findSectionPage(place), isWanted })
}

type PlaceEntry = CacheEntry<Answer<'GET /resolve'>>

/** The cache entry of what an address is of, with the record of the project or group, which the frame reads too. */
function getOrCreatePlaceEntry(path: string): PlaceEntry {
  return getOrCreateCacheEntry(apiReadUrl('GET /resolve', { path, with_record: true }))
}

/** Asks what an address is of, and keeps the record that comes with the answer as if it had been read by itself. */
async function refreshPlaceEntry(entry: PlaceEntry): Promise<void> {
  const before_ms = entry.asked_ms
  await refreshCacheEntry(entry as CacheEntry)
  // What was told before may be older than what has been read since.
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

/** By the place that is shown; what is only supposed of it, as long as nothing was written since it was told. */
function derive(path: string): ReturnType<typeof derivePlace> {
  // Looked at, not followed: what is shown next would lead to itself again.
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

/** Checks whether a known place has moved, and shows its page again if so. */
async function lookAgain(url: URL, known: Place): Promise<void> {
  const entry = getOrCreatePlaceEntry(url.pathname)
  await refreshPlaceEntry(entry)
  const now = placeOf(entry)
  const isSame = now && JSON.stringify(now) === JSON.stringify(known)
  if (!isSame && currentUrl.value.pathname === url.pathname) void showPageAt(currentUrl.value)
}

/** Pages that were loaded before: to import one again takes the browser a few turns. */
const loaded = new Map<LoadPage, PageModule>()

async function build(
  at: PageLocation,
  { load, isWanted }: { load: LoadPage; isWanted: IsWanted },
): Promise<ShownPage | undefined> {
  try {
    // Somebody may have been let in since.
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

/** Whether it is known that a page is not for its reader. */
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
