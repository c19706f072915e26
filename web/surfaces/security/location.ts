// Where a finding is, as far as reports of the various tools say it.

type Json = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Json)[name] : undefined

/** `src/a.ts:3`, an image, a request or a package; empty where the report says none of them. */
export function formatLocation(location: Json): string {
  const file = textOf(location.file)
  const line = textOf(location.start_line)
  if (file !== '') return line === '' ? file : `${file}:${line}`
  const image = textOf(location.image)
  if (image !== '') return image
  const request = [location.method, location.path].map(textOf).filter(Boolean).join(' ')
  return request === '' ? packageOfLocation(location) : request
}

/** The package of a dependency with its version. */
export function packageOfLocation(location: Json): string {
  const name = textOf(inside(inside(location.dependency, 'package'), 'name'))
  return [name, textOf(inside(location.dependency, 'version'))].filter(Boolean).join(' ')
}

/** The file of the repository, and the hash of its line; undefined for what is in no file. */
export function fileOfLocation(location: Json): { path: string; hash: string } | undefined {
  const path = textOf(location.file)
  if (path === '') return undefined
  const [first, last] = [textOf(location.start_line), textOf(location.end_line)]
  const lines = last === '' || last === first ? first : `${first}-${last}`
  return { path, hash: lines === '' ? '' : `#L${lines}` }
}
