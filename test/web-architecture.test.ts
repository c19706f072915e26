// The pages as a check on their source: what may import what, and where the doors are (docs/decisions/0039).
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const web = join(root, 'web')

const files = readdirSync(web, { recursive: true, withFileTypes: true })
  .map((entry) => relative(web, join(entry.parentPath, entry.name)))
  .filter((path) => /\.(?:tsx?|css)$/.test(path) && !path.startsWith('dist') && path.includes('/'))

const sources = files
  .filter((path) => !path.endsWith('.css'))
  .map((path) => {
    const text = readFileSync(join(web, path), 'utf8')
    const names = [...text.matchAll(/(?:from |import |import\()'(\.[^']+)'/g)].map(
      ([, name]) => name,
    )
    return { path, text, imports: names.map((name = '') => normalize(join(dirname(path), name))) }
  })

/** What each layer may import beside itself. */
const layers: Record<string, string[]> = {
  api: [],
  text: [],
  ui: ['api', 'text'],
  surfaces: ['api', 'text', 'ui'],
  features: ['api', 'text', 'ui', 'surfaces'],
  app: ['api', 'text', 'ui', 'surfaces', 'features'],
}
const layerOf = (path: string) => path.split('/')[0] ?? ''
const nounOf = (path: string) => path.split('/').slice(1, 3).join('/')

it('imports only along the layers', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .filter((target) => layerOf(target) !== layerOf(path))
      .filter((target) => !layers[layerOf(path)]?.includes(layerOf(target)))
      .map((target) => `${path} -> ${target}`),
  )
  expect(wrong).toEqual([])
  expect(sources.length).toBeGreaterThan(50)
})

it('keeps features apart from each other', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .filter((target) => layerOf(path) === 'features' && layerOf(target) === 'features')
      .filter((target) => nounOf(target) !== nounOf(path))
      .map((target) => `${path} -> ${target}`),
  )
  expect(wrong).toEqual([])
})

it('asks the server in one file, and hears it in another', () => {
  const asking = sources
    .filter(({ text }) => /(?<![\w.])fetch\(/.test(text))
    .map(({ path }) => path)
  expect(asking).toEqual(['api/call.ts'])
  const hearing = sources
    .filter(({ text }) => text.includes('new EventSource('))
    .map(({ path }) => path)
  expect(hearing).toEqual(['api/live.ts'])
})

it('makes elements of text in one file', () => {
  const sink =
    /innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|document\.write|srcdoc/
  const making = sources.filter(({ text }) => sink.test(text)).map(({ path }) => path)
  expect(making).toEqual(['surfaces/html.ts'])
})

it('names classes after the file they are in', () => {
  const wrong = files
    .filter((path) => path.endsWith('.css') && !/^ui\/(?:base|tokens)\.css$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(web, path), 'utf8').replace(/"[^"]*"|url\([^)]*\)/g, '')
      const words = path.replace(/\.css$/, '').split('/')
      return [...text.matchAll(/\.([a-z][\w-]*)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !words.some((word) => name.startsWith(word)) && !isForeign(name))
        .map((name) => `${path}: ${name}`)
    })
  expect(wrong).toEqual([])
})

/** Classes of what a component holds, of the highlighter and the editor, or of the server's Markdown. */
function isForeign(name: string): boolean {
  return /^(?:button|field|status|row|stack|muted|only-spoken|hljs|cm|katex|page|list|markdown-alert|footnotes)(?:-|$)/.test(
    name,
  )
}

it('has its texts in every language', () => {
  const english = globSync('text/*.ts', { cwd: web })
  const german = new Set(globSync('text/de/*.ts', { cwd: web }).map((path) => basename(path)))
  expect(english.length).toBeGreaterThan(50)
  // Those have no words: the others are complete by their types.
  const without = english.map((path) => basename(path)).filter((name) => !german.has(name))
  expect(without.toSorted()).toEqual(['numbers.ts', 'user-agents.ts'])
})
