// The architecture as a check on the source: what may import what, and where the doors are.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

type Source = { path: string; text: string; imports: string[]; packages: string[] }

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const specifiers = [
    ...text.matchAll(/(?:^|\n)(?:import|export)[^'"\n]*(?:\{[^}]*\}[^'"\n]*)?['"]([^'"]+)['"]/g),
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

const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter(
    (entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'),
  )
  .map((entry) => read(relative(root, join(entry.parentPath, entry.name))))

/** What each layer may import beside itself. Files directly in src know everything. */
const layers: Record<string, string[]> = {
  kernel: [],
  db: ['kernel'],
  git: ['kernel'],
  blobs: ['kernel'],
  mail: ['kernel'],
  tasks: ['kernel', 'db'],
  access: ['kernel', 'db'],
  http: ['kernel', 'db', 'git', 'access', 'config.ts'],
  features: ['kernel', 'db', 'git', 'blobs', 'mail', 'tasks', 'access', 'http', 'config.ts'],
  transports: ['kernel', 'db', 'git', 'blobs', 'tasks', 'access', 'http', 'features', 'config.ts'],
}

/** Which feature may use which other one's public face. A new pair is a decision. */
const features: Record<string, string[]> = {
  archives: ['projects'],
  'audit-events': [],
  avatars: ['groups', 'projects'],
  'background-tasks': [],
  blobs: ['projects'],
  branches: ['commits', 'projects', 'protected-branches', 'pushes'],
  'commit-statuses': ['commits', 'pipelines', 'projects', 'users'],
  commits: ['contributions', 'lfs', 'pipelines', 'projects', 'pushes', 'users'],
  comparisons: ['commits', 'projects'],
  contributions: ['projects'],
  contributors: ['projects'],
  credentials: ['sign-in', 'ssh-keys', 'tokens', 'users'],
  'custom-attributes': ['groups', 'projects', 'users'],
  'deploy-keys': ['audit-events', 'projects', 'pushes', 'ssh-keys', 'users'],
  emails: ['letters', 'link-tokens', 'members', 'sign-in', 'users'],
  files: ['blobs', 'commits', 'lfs', 'projects', 'pushes'],
  follows: ['users'],
  'gpg-keys': ['audit-events', 'users'],
  groups: [
    'audit-events',
    'avatars',
    'custom-attributes',
    'members',
    'namespaces',
    'projects',
    'users',
  ],
  languages: ['projects'],
  letters: [],
  lfs: ['credentials', 'projects'],
  'link-tokens': [],
  members: ['audit-events', 'groups', 'letters', 'namespaces', 'projects', 'users'],
  namespaces: ['avatars', 'users'],
  pipelines: ['projects'],
  profiles: ['users'],
  projects: [
    'audit-events',
    'avatars',
    'commits',
    'contributions',
    'custom-attributes',
    'groups',
    'languages',
    'lfs',
    'members',
    'namespaces',
    'protected-branches',
    'stars',
    'users',
  ],
  'protected-branches': ['audit-events', 'projects'],
  pushes: [
    'contributions',
    'credentials',
    'deploy-keys',
    'lfs',
    'members',
    'projects',
    'protected-branches',
  ],
  search: ['commits', 'groups', 'projects', 'users'],
  'sign-in': ['audit-events', 'letters', 'link-tokens', 'two-factor', 'users'],
  signatures: ['commits', 'emails', 'projects', 'ssh-keys', 'tags'],
  'ssh-keys': ['audit-events', 'users'],
  stars: ['projects', 'users'],
  tags: ['commits', 'projects', 'pushes'],
  tokens: ['audit-events', 'users'],
  trees: ['projects'],
  'two-factor': ['audit-events', 'sign-in', 'users'],
  users: [
    'audit-events',
    'avatars',
    'custom-attributes',
    'emails',
    'groups',
    'members',
    'namespaces',
    'projects',
    'sign-in',
    'tokens',
  ],
  variables: ['audit-events', 'groups', 'projects'],
}

const layerOf = (path: string) => path.split('/')[1] ?? ''
const featureOf = (path: string) => (layerOf(path) === 'features' ? (path.split('/')[2] ?? '') : '')
const isPrivate = (path: string) => /\.(routes|policy|store|present)\.ts$/.test(path)

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

  it('reaches other features only through their public faces, and only where that is decided', () => {
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter((target) => {
          const [from, to] = [featureOf(path), featureOf(target)]
          const isWithin = to === '' || to === from || path === 'src/features/endpoints.ts'
          if (isWithin || !['features', 'transports'].includes(layerOf(path))) return false
          return isPrivate(target) || (from !== '' && !features[from]?.includes(to))
        })
        .map((target) => `${path} -> ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('has no import cycle, types included', () => {
    const graph = new Map(sources.map(({ path, imports }) => [path, imports]))
    const state = new Map<string, 'open' | 'done'>()
    const cycles: string[] = []
    const visit = (path: string, trail: string[]) => {
      if (state.get(path) === 'done') return
      if (state.get(path) === 'open') {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
        return
      }
      state.set(path, 'open')
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
      state.set(path, 'done')
    }
    for (const { path } of sources) visit(path, [])
    expect(cycles).toEqual([])
  })

  it.each([
    ['node:child_process', /^src\/(git|runner)\//],
    [
      'kysely',
      /^src\/(db|access|tasks)\/|\.store\.ts$|^src\/features\/([a-z-]+)\/[a-z-]+\.ts$|^src\/app\.ts$/,
    ],
    ['better-sqlite3', /^src\/db\//],
    ['nodemailer', /^src\/mail\//],
    ['pg', /^src\/db\//],
    ['fastify', /^src\/(http|transports)\/|^src\/app\.ts$/],
  ])('keeps %s behind its door', (name, allowed) => {
    const users = sources.filter(({ packages }) =>
      packages.some((used) => used === name || used.startsWith(`${name}/`)),
    )
    expect(users.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([])
    expect(users.length).toBeGreaterThan(0)
  })

  it.each([
    // The helper's environment is what the server gave it.
    ['process.env', /process\.env/, /^src\/(main|git\/spawn-helper)\.ts$/],
    ['the clock', /Date\.now\(\)|new Date\(\)|performance\.now/, /^src\/kernel\/clock\.ts$/],
    // That of turns says what the command is for.
    ['the command that moves references', /'update-ref'/, /^src\/git\/(refs|turns)\.ts$/],
    // Everything else that moves references says whose right it is.
    [
      'byTheServer',
      /\bbyTheServer\b/,
      /^src\/git\/refs\.ts$|^src\/features\/projects\/project\.routes\.ts$/,
    ],
    ['console', /\bconsole\./, /^$/],
    ['a shell', /shell: true|execSync|exec\(/, /\.exec\(|^$/],
  ])('uses %s nowhere else', (name, pattern, allowed) => {
    const text = (source: Source) =>
      name === 'a shell' ? source.text.replace(/[\w)\]/]\.exec\(/g, '') : source.text
    const users = sources.filter((source) => pattern.test(text(source)))
    expect(users.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([])
  })

  it('names files in kebab-case with known infixes', () => {
    const pattern = /^[a-z0-9-]+(\.(routes|policy|store|present|tasks))?\.ts$/
    const names = sources.map(({ path }) => path.split('/').at(-1) ?? '')
    const migrations = /^\d{4}_[a-z0-9_]+\.ts$/
    expect(names.filter((name) => !pattern.test(name) && !migrations.test(name))).toEqual([])
  })
})
