import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Names of parameters differ between the list and the server. */
const unnamed = (route: string) => route.replace(/[:*]\w+/g, ':')

/** What clients of the API rely on most, `GET /projects/:id`; alerts come to an address outside the API. */
const core = read('test/core-operations.txt').trim().split('\n')

/** The routes that pages call, as the texts that `call`, `useApi` and the like are given. */
function routesInPages(): Set<string> {
  const generated = 'web/api/operations.ts'
  const files = globSync('web/{api,app,features,surfaces,ui}/**/*.{ts,tsx}', { cwd: root })
  const sources = files.filter((path) => path !== generated).map(read)
  const routes = sources.flatMap(
    (source) => source.match(/(?<=['"`])(?:GET|HEAD|POST|PUT|PATCH|DELETE) \/[^'"`]*/g) ?? [],
  )
  return new Set(routes.map(unnamed))
}

it('pages call every core operation that docs/operations-without-page.md does not list', () => {
  const listed = read('docs/operations-without-page.md').match(/(?<=^\| `)[A-Z]+ [^`]+/gm) ?? []
  const called = routesInPages()
  expect(core).toHaveLength(119)
  expect(core.filter((route) => !called.has(unnamed(route))).sort()).toEqual(listed.sort())
})
