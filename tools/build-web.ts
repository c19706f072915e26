// Builds the pages once for each language, and what a browser would rather have smaller.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Plugin, type Rolldown } from 'vite'
import { pageLanguages } from '../src/features/people/profiles/preferences.ts'

const web = join(import.meta.dirname, '..', 'web')
const dist = join(web, 'dist')
/** Fonts are compressed in themselves. */
const compressed = /\.(?:js|css|svg)$/

/** Has pages take the texts of a translation, `web/text/de/issues.ts` where they import `web/text/issues.ts`. */
function translation(language: string): Plugin[] {
  const texts = join(web, 'text')
  const translated = join(texts, language)
  if (!existsSync(translated)) return []
  return [
    {
      name: 'translation',
      enforce: 'pre',
      resolveId(source, importer = '') {
        if (!source.startsWith('.') || dirname(importer) === translated) return null
        const path = join(dirname(importer), source)
        if (dirname(path) !== texts) return null
        const other = join(translated, path.slice(texts.length))
        return existsSync(other) ? other : null
      },
      transformIndexHtml: (html) => html.replace('<html lang="en">', `<html lang="${language}">`),
    },
  ]
}

type Load = () => Promise<unknown>
type Routes = {
  plainRoutes: readonly { path: string; load: Load }[]
  redirects: readonly (readonly [string, string])[]
  projectSectionRedirects: readonly (readonly [string, string])[]
  sectionPages: Readonly<Record<'user' | 'group' | 'project', Readonly<Record<string, Load>>>>
}
// By its address, for its types are those of browsers.
const { plainRoutes, redirects, projectSectionRedirects, sectionPages }: Routes = await import(
  `${web}/app/routes.ts`
)

/**
 * Returns the files that the server lists in the shell, so that the browser loads them together with the script that
 * needs them. By the same table the server knows which addresses have a page.
 */
function preloadsOf(output: Rolldown.RolldownOutput['output']) {
  const chunks = output.filter((one) => one.type === 'chunk')
  const chunkOf = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((id) => [id, chunk])))
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  /** Returns the file of a module and all files that it needs to start. */
  const filesOf = (id: string): string[] => {
    const found = new Set<string>()
    const collect = (chunk: Rolldown.OutputChunk | undefined) => {
      if (!chunk || found.has(chunk.fileName)) return
      found.add(chunk.fileName)
      for (const file of chunk.imports) collect(byFile.get(file))
    }
    collect(chunkOf.get(id))
    return [...found]
  }
  const first = filesOf(join(web, 'app/main.tsx'))
  /** Returns the files that a route needs besides those of every page. */
  const ownFilesOf = (load: Load): string[] => {
    const [, path = ''] = /import\(['"]([^'"]+)['"]\)/.exec(String(load)) ?? []
    return filesOf(join(web, 'app', path)).filter((file) => !first.includes(file))
  }
  const bySection = (loads: Readonly<Record<string, Load>>) =>
    Object.fromEntries(Object.entries(loads).map(([section, load]) => [section, ownFilesOf(load)]))
  return {
    first,
    plain: Object.fromEntries(plainRoutes.map(({ path, load }) => [path, ownFilesOf(load)])),
    user: bySection(sectionPages.user),
    group: bySection(sectionPages.group),
    project: bySection(sectionPages.project),
    redirects: redirects.map(([from]) => from),
    projectSectionRedirects: projectSectionRedirects.map(([from]) => from),
  }
}

rmSync(dist, { recursive: true, force: true })
for (const language of pageLanguages) {
  const { output } = (await build({
    configFile: join(web, 'vite.config.ts'),
    plugins: translation(language),
    build: { emptyOutDir: false },
  })) as Rolldown.RolldownOutput
  renameSync(join(dist, 'index.html'), join(dist, `index.${language}.html`))
  writeFileSync(join(dist, `preloads.${language}.json`), JSON.stringify(preloadsOf(output)))
}
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
