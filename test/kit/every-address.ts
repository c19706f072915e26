// The addresses of an endpoint for a walk of all GET endpoints that there are.
import type { Endpoint } from '../../src/http/endpoint.ts'
import { nameOf } from './every-example.ts'

/** What the parameters of paths may be, by name; `id` is the project's, the group's or the user's, by the path. */
export type AddressValues = Record<string, readonly (string | number)[]>

/** Returns what a parameter of the path may be; what is of no concern here has one value that names nothing. */
function valuesOf(
  { path }: Endpoint,
  values: AddressValues,
  name: string,
): readonly (string | number)[] {
  if (name === 'user_id') return values.user ?? []
  if (name !== 'id') return values[name] ?? [1]
  if (path.startsWith('/projects')) return values.project ?? []
  if (path.startsWith('/groups')) return values.group ?? []
  return path.startsWith('/users') ? (values.user ?? []) : [1]
}

/** Yields the addresses of an endpoint with all values; of a search one for each scope, for `word`. */
export function* addressesOf(
  endpoint: Endpoint,
  { values, scopes, word }: { values: AddressValues; scopes: readonly string[]; word: string },
): Generator<string> {
  const template = nameOf(endpoint).split(' ')[1] ?? ''
  let urls = [template]
  for (const [, name = ''] of template.matchAll(/:(\w+)/g)) {
    urls = urls.flatMap((url) =>
      valuesOf(endpoint, values, name).map((value) =>
        url.replace(`:${name}`, encodeURIComponent(value)),
      ),
    )
  }
  const fields = Object.keys(
    (endpoint.input as { properties?: object } | undefined)?.properties ?? {},
  )
  for (const url of urls) {
    if (!fields.includes('scope') || !fields.includes('search')) {
      yield fields.includes('scope') ? `${url}?scope=all` : url
    } else for (const scope of scopes) yield `${url}?scope=${scope}&search=${word}`
  }
}
