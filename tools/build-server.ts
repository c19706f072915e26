// Bundles the server into `dist`: a start loads a few files instead of more than two thousand modules.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/**
 * Lets a module find the files beside its source (workers, programs of their own, migrations, templates): its
 * `import.meta` says where the source is, not where the bundle is.
 */
const sourcePaths: Plugin = {
  name: 'source-paths',
  enforce: 'pre',
  transform: {
    filter: { id: { exclude: /node_modules/ }, code: /import\.meta\./ },
    handler(code, id) {
      const file = relative(dist, id)
      const folder = JSON.stringify(dirname(file))
      return code
        .replaceAll('import.meta.main', 'false')
        .replaceAll('import.meta.dirname', `__sourceFolder(${folder})`)
        .replaceAll('import.meta.url', `__sourceUrl(${JSON.stringify(file)})`)
    },
  },
}

/**
 * Gets modules of Node without `import`: to import one, Node reads each of its exports, and those of `node:http`
 * include lazy ones that load the whole of `fetch` (90 modules and 16 MB, in Node 26).
 */
const nodeModules: Plugin = {
  name: 'node-modules',
  renderChunk: (code) =>
    code.replaceAll(
      /^import (?:([\w$]+)|\* as ([\w$]+)|(\{[^}]*\})) from "(node:[\w/]+)";$/gm,
      (_all, main: string, all: string, some: string, module: string) =>
        `const ${main ?? all ?? some.replaceAll(' as ', ': ')} = process.getBuiltinModule("${module}");`,
    ),
}

const { output } = (await build({
  configFile: false,
  root,
  logLevel: 'warn',
  publicDir: false,
  plugins: [sourcePaths, nodeModules],
  ssr: {
    noExternal: true,
    // With parts that are not JavaScript, or looked for only when they are needed.
    external: ['better-sqlite3', 'pg', 'ssh2', 'swagger-ui-dist'],
  },
  build: {
    ssr: true,
    outDir: dist,
    emptyOutDir: false,
    target: 'esnext',
    minify: false,
    rolldownOptions: {
      input: { main: join(root, 'src/main.ts') },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // V8 holds the text of all that is loaded, and takes two bytes a letter where one of them is not Latin.
        charset: 'ascii',
        comments: false,
        // The steps of the schema, which a first start runs all, are one file.
        codeSplitting: {
          groups: [{ name: 'migrations', test: /src\/db\/migrations\/\d/ }],
          includeDependenciesRecursively: false,
        },
        banner: [
          'const __sourceUrl = (file) => new URL(file, import.meta.url).href;',
          "const __sourceFolder = (folder) => process.getBuiltinModule('node:path').join(import.meta.dirname, folder);",
        ].join('\n'),
      },
    },
  },
})) as Rolldown.RolldownOutput

// A server that runs while another version is installed loads the rest of its own parts from the previous build.
const list = join(dist, 'files.json')
const previous: string[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
const files = output.map(({ fileName }) => fileName)
writeFileSync(list, JSON.stringify(files))
const kept = new Set([...files, ...previous, 'files.json'])
for (const name of readdirSync(dist)) if (!kept.has(name)) rmSync(join(dist, name))

// Compiles the bundle once, so that the first start is as quick and small as any.
execFileSync(process.execPath, [join(dist, 'main.js'), 'warm-up'], {
  env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile') },
  stdio: ['ignore', 2, 2],
})
