// Addresses below a project (docs/api/addresses.md), made of what the server said the present one is of.
import { encodePath } from './navigation.ts'
import type { Place } from './page-module.ts'

/** The project's own address, or the group's. */
export function placeBasePath(place: Place): string {
  return place.canonical_path.replace(/\/-(?:\/.*)?$/, '')
}

/** `/g/p/-/tree/main/src`: a section, a reference, and a path where one is meant. */
export function repositoryPageUrl(
  base: string,
  section: string,
  ref: string,
  path?: string | null,
): string {
  const rest = path ? `/${encodePath(path)}` : ''
  return `${base}/-/${section}/${encodePath(ref)}${rest}`
}

/** An address that the server told whole, as a path of ours. */
export function pathnameOf(url: string): string {
  return URL.parse(url, location.href)?.pathname ?? url
}

/** The folder that a file or folder is in; empty for the top. */
export function parentPath(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}
