// Builds the pages, and what a browser would rather have smaller.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const web = join(import.meta.dirname, '..', 'web')
const dist = join(web, 'dist')
/** Fonts are compressed in themselves. */
const compressed = /\.(?:js|css|svg)$/

await build({ configFile: join(web, 'vite.config.ts') })
for (const name of readdirSync(dist)) {
  if (!compressed.test(name)) continue
  const bytes = readFileSync(join(dist, name))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(join(dist, `${name}.br`), brotliCompressSync(bytes, { params }))
  writeFileSync(join(dist, `${name}.gz`), gzipSync(bytes, { level: 9 }))
}

type Load = () => Promise<unknown>
type Routes = {
  plain: readonly { path: string; load: Load }[]
  sections: Readonly<Record<'group' | 'project', Readonly<Record<string, Load>>>>
}
// By its address, for its types are those of browsers.
const { plain, sections }: Routes = await import(`${web}/app/routes.ts`)

type Chunk = { file: string; imports?: string[] }
const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(join(dist, 'manifest.json'), 'utf8'),
)

/** The files that the page of a route cannot begin without, beside those that every page has. */
function filesOf(load: Load): string[] {
  const [, path = ''] = /import\(['"]\.\.\/([^'"]+)['"]\)/.exec(String(load)) ?? []
  const found = new Set<string>()
  collect(path, found)
  return [...found].filter((file) => !first.has(file))
}

function collect(key: string, found: Set<string>): void {
  const chunk = manifest[key]
  if (!chunk || found.has(chunk.file)) return
  found.add(chunk.file)
  for (const next of chunk.imports ?? []) collect(next, found)
}

const first = new Set<string>()
const [, started] =
  /src="\/-\/assets\/([^"]+)"/.exec(readFileSync(join(dist, 'index.html'), 'utf8')) ?? []
collect(Object.keys(manifest).find((key) => manifest[key]?.file === started) ?? '', first)
const bySection = (loads: Readonly<Record<string, Load>>) =>
  Object.fromEntries(Object.entries(loads).map(([section, load]) => [section, filesOf(load)]))
// What the server names to browsers with the shell, so that it travels beside the script that would ask for it.
const preloads = {
  plain: Object.fromEntries(plain.map(({ path, load }) => [path, filesOf(load)])),
  group: bySection(sections.group),
  project: bySection(sections.project),
}
writeFileSync(join(dist, 'preloads.json'), JSON.stringify(preloads))
