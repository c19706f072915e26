// Parts of an address below a project.
import { encodePath } from './navigation.ts'
import type { Place } from './page-module.ts'

/** The address of the project or group a place is in. */
export function baseOf(place: Place): string {
  return place.canonical_path.replace(/\/-\/.*$/, '')
}

/** An address in the repository: `blob`, `tree`, `blame`, `raw`, ... */
export function codeUrl(base: string, section: string, ref: string, path = ''): string {
  return `${base}/-/${section}/${encodePath(ref)}${path === '' ? '' : `/${encodePath(path)}`}`
}

export function parentPath(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}
