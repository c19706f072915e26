// What a file `<noun>.page.tsx` exports as `page`.
import type { ComponentType } from 'preact'
import type { Answer } from '../api/call.ts'
import type { ApiReadUrl } from '../api/use-api.ts'

/** What an address is of (docs/api/addresses.md). */
export type Place = Omit<Answer<'GET /resolve'>, 'project' | 'group'>

/** Where a page is shown: `params` by the names of its route, `place` for addresses below a project, group or user. */
export type PageLocation = {
  url: URL
  params: Readonly<Record<string, string>>
  place?: Place
}

/** The same, for pages that are only ever below one. */
export type PlaceLocation = PageLocation & { place: Place }

/** `calls` names what has to be read before the page is shown; the old one stays until then. */
export type PageModule<T extends PageLocation = PageLocation> = {
  calls?: (at: T) => readonly (ApiReadUrl | false | undefined)[]
  /** What else is waited for; where it is refused, the page itself tells. */
  prepare?: (at: T) => Promise<unknown>
  /** The address that this one leads to, if it is one of the kind; throws what the server refused. */
  forward?: (at: T) => Promise<string | undefined>
  View: ComponentType<{ at: T }>
}
