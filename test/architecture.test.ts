// The architecture as a check on the source: what may import what, and where the doors are.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

type Source = { path: string; text: string; imports: string[]; packages: string[] }

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const specifiers = [
    ...text.matchAll(/(?:^|\n)(?:import|export)[^'"=\n]*(?:\{[^}]*\}[^'"=\n]*)?['"]([^'"]+)['"]/g),
  ].map((match) => match[1] ?? '')
  const dynamic = [...text.matchAll(/import\('([^']+)'\)/g)].map((match) => match[1] ?? '')
  const all = [...specifiers, ...dynamic]
  return {
    path,
    text,
    imports: all
      .filter((name) => name.startsWith('.'))
      .map((name) => normalize(join(dirname(path), name))),
    packages: all.filter((name) => !name.startsWith('.')),
  }
}

function readAll(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.examples)\.tsx?$/.test(entry.name))
    .map((entry) => read(relative(root, join(entry.parentPath, entry.name))))
}

const sources = readAll('src')
const pages = readAll('web')

const paths = new Set(sources.map(({ path }) => path))

/** What each layer may import beside itself. Files directly in src know everything. */
const layers: Record<string, string[]> = {
  kernel: [],
  db: ['kernel'],
  git: ['kernel'],
  ci: ['kernel'],
  blobs: ['kernel'],
  mail: ['kernel'],
  cluster: ['kernel'],
  outgoing: ['kernel'],
  disk: ['kernel'],
  tasks: ['kernel', 'db'],
  access: ['kernel', 'db'],
  backup: ['kernel', 'db', 'blobs', 'tasks'],
  http: ['kernel', 'db', 'git', 'access', 'disk', 'config.ts'],
  subjects: ['kernel', 'db', 'git', 'access', 'http', 'config.ts'],
  features: [
    'kernel',
    'db',
    'git',
    'ci',
    'blobs',
    'backup',
    'mail',
    'outgoing',
    'disk',
    'tasks',
    'access',
    'http',
    'subjects',
    'config.ts',
  ],
  commands: [
    'kernel',
    'db',
    'git',
    'blobs',
    'backup',
    'tasks',
    'subjects',
    'features',
    'http',
    'forwarding',
    'config.ts',
  ],
  forwarding: ['kernel', 'db', 'git', 'backup', 'http', 'subjects', 'config.ts'],
  transports: [
    'kernel',
    'db',
    'git',
    'ci',
    'blobs',
    'disk',
    'tasks',
    'access',
    'http',
    'subjects',
    'features',
    'forwarding',
    'config.ts',
  ],
}

/**
 * The domains of `features/`, in the one line in which they stand: each imports those before it, never
 * one after it. What must reach forward is an effect, or handed over in app.ts.
 */
const domains = [
  'basics',
  'people',
  'projects',
  'groups',
  'repository',
  'delivery',
  'planning',
  'review',
  'content',
  'activity',
  'security',
  'operating',
]

const layerOf = (path: string) => path.split('/')[1] ?? ''
/** `<domain>/<noun>` of what lies in a noun's folder; empty for what puts the features together. */
function nounOf(path: string): string {
  const [, layer, domain = '', noun = '', file] = path.split('/')
  return layer === 'features' && file !== undefined ? `${domain}/${noun}` : ''
}
const placeOf = (noun: string) => domains.indexOf(noun.split('/')[0] ?? '')
const isPrivate = (path: string) => /\.(routes|policy|store|present|family)\.ts$/.test(path)

/**
 * Whether a file of a noun may speak to the database: its stores, its lists, and the noun file, which is
 * what others may ask of its tables; of two nouns in a folder, the second one's beside its store. So who
 * looks for what is read and written of a table looks in few files, and steps and rules read as such.
 */
function keepsSql(path: string): boolean {
  const noun = nounOf(path).split('/')[1] ?? ''
  if (noun === '') return false
  const name = path.split('/').at(-1)?.replace(/\.ts$/, '') ?? ''
  if (name.endsWith('.store') || name.startsWith('list-')) return true
  const isNounFile = [name, `${name}s`, `${name}es`].includes(noun)
  return isNounFile || paths.has(path.replace(/\.ts$/, '.store.ts'))
}

/** The rings in a graph, each told from its least member. */
function cyclesOf(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const cycles: string[] = []
  const visit = (node: string, trail: string[]) => {
    if (state.get(node) === 'done') return
    if (state.get(node) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(node)), node].join(' -> '))
      return
    }
    state.set(node, 'open')
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node])
    state.set(node, 'done')
  }
  for (const node of graph.keys()) visit(node, [])
  return cycles
}

/** Which folder imports which other, where `folderOf` says what folder a file is in. */
function foldersGraph(folderOf: (path: string) => string): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const from = folderOf(path)
    if (from === '') continue
    const targets = graph.get(from) ?? new Set<string>()
    graph.set(from, targets)
    for (const target of imports.map(folderOf)) {
      if (target !== '' && target !== from) targets.add(target)
    }
  }
  return graph
}

describe('the source', () => {
  it('imports only along the layers', () => {
    const wrong = sources.flatMap(({ path, imports }) => {
      const layer = layerOf(path)
      const allowed = layers[layer]
      if (!allowed) return []
      return imports
        .filter((target) => layerOf(target) !== layer && !allowed.includes(layerOf(target)))
        .map((target) => `${path} -> ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('stands in one line of domains', () => {
    const nouns = sources.map(({ path }) => nounOf(path)).filter((noun) => noun !== '')
    expect(nouns.filter((noun) => placeOf(noun) < 0)).toEqual([])
    const wrong = sources.flatMap(({ path, imports }) => {
      const from = nounOf(path)
      if (from === '') return []
      return imports
        .filter((target) => nounOf(target) !== '' && placeOf(nounOf(target)) > placeOf(from))
        .map((target) => `${path} -> ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('reaches other nouns only through their public files', () => {
    const wrong = sources.flatMap(({ path, imports }) => {
      if (!['features', 'transports'].includes(layerOf(path))) return []
      // Those that put the features together know all of them.
      if (layerOf(path) === 'features' && nounOf(path) === '') return []
      return imports
        .filter((target) => nounOf(target) !== '' && nounOf(target) !== nounOf(path))
        .filter(isPrivate)
        .map((target) => `${path} -> ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('shares nothing with the runner but what both say to each other', () => {
    const files = readdirSync(join(root, 'runner')).filter((name) => /(?<!\.test)\.ts$/.test(name))
    const own = new Set(files.map((name) => `runner/${name}`))
    const wrong = [...own].flatMap((path) => {
      return read(path)
        .imports.filter((target) => !own.has(target) && target !== 'src/ci/protocol.ts')
        .map((target) => `${path} -> ${target}`)
    })
    expect(wrong).toEqual([])
    expect(own.size).toBeGreaterThan(0)
    const users = sources.filter(({ imports }) => imports.some((target) => own.has(target)))
    expect(users.map(({ path }) => path).sort()).toEqual(['src/main.ts', 'src/serve.ts'])
  })

  it('has no import cycle, types included, between files', () => {
    for (const files of [sources, pages]) {
      expect(cyclesOf(new Map(files.map(({ path, imports }) => [path, imports])))).toEqual([])
    }
  })

  it('has no cycle between folders: layers, domains, nouns', () => {
    const isFolder = (name: string) => !name.endsWith('.ts')
    const layer = (path: string) => [layerOf(path)].filter(isFolder)[0] ?? ''
    expect(cyclesOf(foldersGraph(layer))).toEqual([])
    expect(cyclesOf(foldersGraph((path) => nounOf(path).split('/')[0] ?? ''))).toEqual([])
    expect(cyclesOf(foldersGraph(nounOf))).toEqual([])
    const transport = (path: string) => /^src\/transports\/([^/]+)\//.exec(path)?.[1] ?? ''
    expect(cyclesOf(foldersGraph(transport))).toEqual([])
  })

  it.each([
    // Beside git, only the built-in runner is started.
    ['node:child_process', /^src\/git\/|^src\/start-(?:backup|runner)\.ts$/],
    ['kysely', /^src\/(db|access|tasks|subjects)\/|^src\/app\.ts$/, keepsSql],
    ['better-sqlite3', /^src\/db\//],
    ['nodemailer', /^src\/mail\//],
    ['aws4fetch', /^src\/blobs\//],
    ['pg', /^src\/db\//],
    ['fastify', /^src\/(http|transports|forwarding)\/|^src\/(app|open-forwarding)\.ts$/],
  ])('keeps %s behind its door', (name, allowed, isDoor = (_path: string) => false) => {
    const users = sources.filter(({ packages }) =>
      packages.some((used) => used === name || used.startsWith(`${name}/`)),
    )
    const elsewhere = users.filter(({ path }) => !allowed.test(path) && !isDoor(path))
    expect(elsewhere.map(({ path }) => path)).toEqual([])
    expect(users.length).toBeGreaterThan(0)
  })

  it('runs SQL in features in stores, lists and noun files alone', () => {
    const statement = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/
    const users = sources.filter(({ path, text }) => nounOf(path) !== '' && statement.test(text))
    expect(users.map(({ path }) => path).filter((path) => !keepsSql(path))).toEqual([])
    expect(users.length).toBeGreaterThan(0)
  })

  it.each([
    // The helper's environment is what the server gave it.
    ['process.env', /process\.env/, /^src\/(main|git\/spawn-helper)\.ts$/],
    ['the clock', /Date\.now\(\)|new Date\(\)|performance\.now/, /^src\/kernel\/clock\.ts$/],
    // The limiter says what the command is for.
    [
      'the command that moves references',
      /'update-ref'/,
      /^src\/git\/(update-refs|git-limiter)\.ts$/,
    ],
    // Everything else that moves references says whose right it is.
    [
      'confirmAlways',
      /\bconfirmAlways\b/,
      /^src\/git\/update-refs\.ts$|^src\/features\/repository\/commits\/create-readme-commit\.ts$|^src\/features\/projects\/projects\/project\.routes\.ts$|^src\/features\/delivery\/pipelines\/pipeline-ref\.ts$|^src\/features\/review\/merge-requests\/request-refs\.ts$/,
    ],
    // Whoever is handed an archive was asked for by open-archive.ts; the server's own work takes what it stores, reads or publishes.
    [
      'bytes of artifacts',
      /ownPlace\('artifacts'/,
      /^src\/features\/delivery\/artifacts\/open-(archive|artifact)\.ts$|^src\/features\/content\/pages\/publish-site\.ts$/,
    ],
    // A job is started by a user who may (run-right.ts), or by its time; it is repeated so, or by itself.
    [
      'the start of a job',
      /\benqueueJob\(/,
      /^src\/features\/delivery\/(pipeline-changes\/change-pipeline|pipelines\/(retry-pipeline|pipeline\.tasks)|jobs\/play-job|environments\/stop-environment)\.ts$/,
    ],
    [
      'the repetition of a job',
      /\bcloneJob\(/,
      /^src\/features\/delivery\/(pipeline-changes\/job|pipelines\/retry-pipeline|jobs\/finish-job)\.ts$/,
    ],
    // Variables come from users who may (run-right.ts), or from what a job has written.
    [
      'variables of jobs',
      /\bsetJobVariables\(/,
      /^src\/features\/delivery\/(jobs\/(job|play-job)|artifacts\/store-artifact)\.ts$/,
    ],
    [
      'variables of pipelines',
      /insertInto\('pipeline_variables'\)|\binsertPlannedPipeline\(/,
      /^src\/features\/delivery\/pipeline-creation\/(create-pipeline|insert-pipeline|pipeline-creation\.store)\.ts$/,
    ],
    // `runTransaction` runs a transaction again that another one got in the way of.
    ['a transaction that does not run again', /\.transaction\(\)/, /^src\/db\//],
    // Functions take what they use, so that a reader sees in their first line what they reach.
    ['a bag of what everybody is handed', /\btype \w*(Services|Tools)\b(?= =| *\{|<)/, /^$/],
    // Who may is said by `allow` and `authorize` at the route (decision 0049). Thrown are refusals of what is no route's:
    // credentials; rights rechecked under a lock or as references move; records whose absence clients know as 403.
    [
      'a thrown 401 or 403',
      /throw (forbidden|unauthorized)\(/,
      new RegExp(
        [
          '^src/(http|subjects|transports)/',
          '/(delivery/jobs/running-job|delivery/runners/(register-runner|runner-token)|groups/access-tokens/access-token.routes|people/sign-in/sign-in|people/profiles/preferences|people/sessions/ip-throttle)\\.ts$',
          '/(recheck-access|recheck-scope|user-actor|change-wiki|protect-branch|run-right|retry-pipeline|store-artifact|deployment-approval.routes|change-member|group.routes|approval.routes|commit.routes)\\.ts$',
          '/(milestone.routes|pipeline.routes|release.routes|artifact.routes)\\.ts$',
        ].join('|'),
      ),
    ],
    // It is a Pick of Instance, which layers below http cannot import (decision 0050).
    [
      'parts of the running server written out',
      /\{\s*db: Db[;\n]\s*(git: GitAccess|clock: Clock|config: Config)\b/,
      /^src\/(access|tasks|backup|db|http|commands)\/|^src\/[a-z-]+\.ts$/,
    ],
    ['console', /\bconsole\./, /^$/],
    ['a shell', /shell: true|execSync|exec\(/, /\.exec\(|^$/],
  ])('uses %s nowhere else', (name, pattern, allowed) => {
    const text = (source: Source) =>
      name === 'a shell' ? source.text.replace(/[\w)\]/]\.exec\(/g, '') : source.text
    const users = sources.filter((source) => pattern.test(text(source)))
    expect(users.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([])
  })

  it('finds what a request names beside its path by whether the caller sees it', () => {
    // The project just made, that of the trigger's or the job's own token, and, by another's rule, runners' jobs.
    const known = /\/(project|trigger-pipeline|job|runner|cluster)\.routes\.ts$/
    const broken = sources.filter(
      ({ path, text }) =>
        path.endsWith('.routes.ts') && !known.test(path) && /\bfindProject\(/.test(text),
    )
    expect(broken.map(({ path }) => path)).toEqual([])
  })

  it('asks the types of queries, and casts nothing past them', () => {
    const queries = [
      ...sources.filter(({ path }) => keepsSql(path)),
      ...sources.filter(({ path }) => /^src\/(access|subjects)\//.test(path)),
    ]
    const casting = queries.filter(({ text }) => /\bas (never|unknown as)\b/.test(text))
    expect(casting.map(({ path }) => path)).toEqual([])
    expect(queries.length).toBeGreaterThan(100)
  })

  it('starts what follows a push wherever one is prepared', () => {
    const callers = sources.filter(({ text }) => /\bawait prepare(Wiki)?Push\(/.test(text))
    const silent = callers.filter(({ text }) => !/\blanded(\?\.)?\(\)/.test(text))
    expect(silent.map(({ path }) => path)).toEqual([])
    expect(callers.length).toBeGreaterThan(10)
  })

  it('sends browsers on by one function', () => {
    const sends =
      /['"]location['"],|\blocation: (?!string)|Location: |headers\(\{ location|\.redirect\(/
    const broken = sources.filter(
      ({ path, text }) =>
        /^src\/(http|transports|features\/.*\.routes\.ts)/.test(path) &&
        sends.test(text) &&
        !/\b(redirectLocationOf|findRedirectLocation)\(/.test(text),
    )
    expect(broken.map(({ path }) => path)).toEqual([])
  })

  it('names files in kebab-case with known infixes', () => {
    const pattern = /^[a-z0-9-]+(\.(routes|policy|store|present|tasks|family))?\.ts$/
    const names = sources.map(({ path }) => path.split('/').at(-1) ?? '')
    const migrations = /^\d{4}_[a-z0-9_]+\.ts$/
    expect(names.filter((name) => !pattern.test(name) && !migrations.test(name))).toEqual([])
  })
})
