// The suite of real size, `npm run bench -- large`: what users do on repositories of a million objects, of gigabytes,
// with one file of 20 MB, and with a merge request of 3,000 files, each beside git's own time for the same work.
// Rows run in the order of this file, since later ones use what earlier ones made.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { repositoryInStorage } from '../../src/git/repository.ts'
import type { Bench } from '../bench.ts'
import { type Fresh, freshServer } from '../fresh.ts'
import { startHttpBackend } from '../http-backend.ts'
import {
  binaryHistory,
  bookHistory,
  bookPath,
  deepPath,
  ledgerPath,
  wideChange,
  wideHistory,
  widePath,
} from '../large-histories.ts'
import { findFreePort, gitEnvironment, runGit, runProgram } from '../machine.ts'
import type { Goal, Measured, Row } from '../row.ts'
import { ratioOf } from '../row.ts'
import type { Sizes } from '../sizes.ts'
import { type Watched, watch } from '../watch.ts'

type Content = () => Iterable<string | Buffer>

/** A repository made by fast-import, and the project it is pushed to. */
type Large = LargeServer & {
  source: string
  url: string
  api: string
  /** The same repository over SSH; only within `sshEnvironment`. */
  sshUrl: string
  /** Where the server keeps the repository. */
  repository: string
}

const larges = new Map<string, Promise<Large>>()
let fresh: Promise<LargeServer> | undefined

type LargeServer = Fresh & {
  sshPort: number
  keyFile: string
  storage: string
  otherStorage: string
}

/** A server with a second storage and with SSH, for which `keyFile` opens the administrator's account. */
async function startLargeServer(bench: Bench): Promise<LargeServer> {
  const sshPort = await findFreePort()
  const otherStorage = bench.newFolder('storage')
  const storages = {
    default: { path: bench.newFolder('storage'), weight: 1 },
    other: { path: otherStorage, weight: 0 },
  }
  const server = await freshServer(bench, {
    BLOOMERY_SSH_PORT: String(sshPort),
    BLOOMERY_STORAGES: JSON.stringify(storages),
  })
  const keyFile = bench.newFolder('key')
  await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile])
  const key = readFileSync(`${keyFile}.pub`, 'utf8')
  await server.send('POST', '/user/keys', { title: 'bench', key })
  return { ...server, sshPort, keyFile, storage: storages.default.path, otherStorage }
}

const sshEnvironment = ({ keyFile }: LargeServer): Record<string, string> => ({
  ...gitEnvironment(),
  GIT_SSH_COMMAND: `ssh -i ${keyFile} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR`,
})

function large(bench: Bench, name: string, content: Content): Promise<Large> {
  const known = larges.get(name)
  if (known) return known
  fresh ??= startLargeServer(bench)
  const made = fresh.then(async (server) => {
    const source = bench.newFolder(name)
    await runGit(['init', '--quiet', '--bare', '-b', 'main', source])
    const settings = ['-c', 'core.compression=1', '-c', 'core.bigFileThreshold=50m']
    await runGit(
      [`--git-dir=${source}`, ...settings, 'fast-import', '--quiet'],
      inPieces(content()),
    )
    const { id } = await server.send('POST', '/projects', { name })
    const url = new URL(`${server.server.url}/root/${name}.git`)
    url.username = 'bench'
    url.password = server.headers['private-token'] ?? ''
    return {
      ...server,
      source,
      url: url.href,
      sshUrl: `ssh://git@127.0.0.1:${server.sshPort}/root/${name}.git`,
      api: `/projects/${id}`,
      repository: repositoryInStorage(server.storage, 'project', Number(id)).path,
    }
  })
  larges.set(name, made)
  return made
}

/** fast-import reads few large pieces sooner than many small ones. */
function* inPieces(content: Iterable<string | Buffer>): Generator<Buffer> {
  let open: Buffer[] = []
  let bytes = 0
  for (const part of content) {
    const piece = Buffer.from(part)
    open.push(piece)
    bytes += piece.length
    if (bytes < 1024 * 1024) continue
    yield Buffer.concat(open)
    open = []
    bytes = 0
  }
  yield Buffer.concat(open)
}

const goal: Goal = {
  text: '<= 1.5 x, + 400 MB, health 200 ms',
  isMet: (measured) => (ratioOf(measured) ?? 0) <= 1.5 && isSmall(measured),
}
/** Of what is answered a page at a time, or is a single step. */
export const soon: Goal = {
  text: '<= 1 s, + 400 MB, health 200 ms',
  isMet: (measured) => measured.ours.value <= 1 && isSmall(measured),
}

function isSmall({ more_mb = 0, health_ms = 0 }: Measured): boolean {
  return more_mb <= 400 && health_ms <= 200
}

export function beside(floor: Watched | undefined, ours: Watched, of = 'git itself'): Measured {
  const more_mb = ours.peak_mb - (floor?.peak_mb ?? 0)
  const note = `peak ${Math.round(ours.peak_mb)} MB${floor ? `, git's ${Math.round(floor.peak_mb)}` : ''}; health ${Math.round(ours.health_ms)} ms`
  return {
    ...(floor ? { floor: { value: floor.s, unit: 's', of } } : {}),
    ours: { value: ours.s, unit: 's' },
    more_mb,
    health_ms: ours.health_ms,
    note,
  }
}

type Work = (large: Large, bench: Bench) => Promise<unknown>

function row(
  name: string,
  make: (bench: Bench) => Promise<Large>,
  {
    prepare,
    git,
    ours,
    floorOf,
    goal: own = git ? goal : soon,
  }: { prepare?: Work; git?: Work; ours: Work; floorOf?: string; goal?: Goal },
): Row {
  return {
    name: `large: ${name}`,
    goal: own,
    async measure(bench) {
      const site = await make(bench)
      await prepare?.(site, bench)
      const floor = git && (await watch(() => git(site, bench), { pid: process.pid }))
      const { pid, url } = site.server
      const watched = await watch(() => ours(site, bench), { pid, healthUrl: `${url}/-/health` })
      await rm(scratchOf(bench), { recursive: true, force: true })
      return beside(floor, watched, floorOf)
    },
  }
}

const scratchOf = (bench: Bench) => join(bench.folder, 'scratch')
const scratch = (bench: Bench) => join(scratchOf(bench), String(bench.nextNumber()))

/** Git in the repository as it was made, or where the server has done its upkeep in a copy with the same upkeep. */
const inSource =
  (...args: string[]): Work =>
  ({ source }) =>
    runGit([`--git-dir=${source}`, ...args])

const clone =
  (from: 'source' | 'url', ...args: string[]): Work =>
  (site, bench) =>
    runGit([
      ...['-c', 'uploadpack.allowFilter=true', 'clone', '--quiet', ...args],
      ...[from === 'source' ? `file://${site.source}` : site.url, scratch(bench)],
    ])

const backUp: Work = ({ data, storage, otherStorage }, bench) => {
  const program = join(import.meta.dirname, '../../dist/main.js')
  const storages = { default: { path: storage }, other: { path: otherStorage, weight: 0 } }
  const env = {
    PATH: process.env.PATH ?? '',
    BLOOMERY_DATA: data,
    BLOOMERY_STORAGES: JSON.stringify(storages),
  }
  return runProgram(process.execPath, [program, 'backup', '--to', scratch(bench)], { env })
}

const read =
  (path: string): Work =>
  async ({ server, headers, api }) => {
    const answer = await fetch(`${server.url}/api/v4${api}${path}`, { headers })
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status}`)
    for await (const _ of answer.body ?? []);
  }

const push =
  (...refs: string[]): Work =>
  ({ source, url }) =>
    runGit([`--git-dir=${source}`, 'push', '--quiet', url, ...refs])

/**
 * The same push over HTTP to git's own server, since much of a push of many references is the client's: under HTTP
 * git's `send-pack` compares each reference with each.
 */
const pushToGit =
  (...refs: string[]): Work =>
  async ({ source }, bench) => {
    const target = scratch(bench)
    await runGit(['init', '--quiet', '--bare', target])
    await runGit([`--git-dir=${target}`, 'config', 'http.receivepack', 'true'])
    const server = await startHttpBackend(dirname(target))
    try {
      const url = `${server.url}/${basename(target)}`
      await runGit([`--git-dir=${source}`, 'push', '--quiet', url, ...refs])
    } finally {
      await server.stop()
    }
  }

const cloneBySsh =
  (...args: string[]): Work =>
  (site, bench) =>
    runProgram('git', ['clone', '--quiet', ...args, site.sshUrl, scratch(bench)], {
      env: sshEnvironment(site),
    })

const pushBySsh =
  (...refs: string[]): Work =>
  async (site, bench) => {
    const name = `pushed-${bench.nextNumber()}`
    await site.send('POST', '/projects', { name })
    const url = new URL(site.sshUrl)
    url.pathname = `/root/${name}.git`
    await runProgram('git', [`--git-dir=${site.source}`, 'push', '--quiet', url.href, ...refs], {
      env: sshEnvironment(site),
    })
  }

/** A file as git has it, read from a pipe as the server reads it. */
const readByGit =
  (path: string): Work =>
  async ({ source }) => {
    const child = spawn('git', [`--git-dir=${source}`, 'cat-file', 'blob', `main:${path}`], {
      env: gitEnvironment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const closed = once(child, 'close')
    for await (const _ of child.stdout);
    await closed
  }

/** A copy of the folder, written to the disk. */
async function copyToDisk(from: string, to: string): Promise<void> {
  const script = 'mkdir -p "$2" && cp -r "$1" "$2/copy" && find "$2/copy" -type f -exec sync {} +'
  await runProgram('sh', ['-c', script, 'sh', from, to])
}

async function moveStorage({ send, api }: Large): Promise<void> {
  const moves = `${api}/repository_storage_moves`
  const { id } = await send('POST', moves, { destination_storage_name: 'other' })
  await until(async () => {
    const { state } = await send('GET', `${moves}/${id}`)
    if (state === 'failed') throw new Error('The move failed.')
    return state === 'replicated' || state === 'finished'
  })
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 100))
}

const hasBitmap = (repository: string) =>
  readdirSync(join(repository, 'objects/pack')).some((name) => name.endsWith('.bitmap'))

/** The same upkeep by git, in the source, which later floors are taken with. */
async function upkeepByGit({ source }: Large): Promise<void> {
  const within = `--git-dir=${source}`
  await runGit([within, 'commit-graph', 'write', '--reachable', '--changed-paths'])
  await runGit([
    within,
    'repack',
    '-d',
    '-q',
    '--geometric=2',
    '--write-midx',
    '--write-bitmap-index',
  ])
}

/** Puts the repository back to what it is right after its first push. */
async function withoutUpkeep({ repository }: Large): Promise<void> {
  const folder = join(repository, 'objects/pack')
  const names = readdirSync(folder).filter((name) => /^multi-pack-index|\.bitmap$/.test(name))
  for (const name of names) await rm(join(folder, name))
  await rm(join(repository, 'objects/info/commit-graphs'), { recursive: true, force: true })
}

async function upkeep({ api, send, repository }: Large): Promise<void> {
  await send('POST', `${api}/housekeeping`)
  await until(() => hasBitmap(repository))
}

/** A branch of five commits above `main`, and a merge request of it. */
async function newRequest(site: Large, bench: Bench): Promise<string> {
  const branch = `change-${bench.nextNumber()}`
  for (let number = 0; number < 5; number++) {
    await site.send('POST', `${site.api}/repository/commits`, {
      branch,
      ...(number === 0 ? { start_branch: 'main' } : {}),
      commit_message: `Step ${number}`,
      actions: [{ action: 'create', file_path: `new/${branch}-${number}.txt`, content: 'x' }],
    })
  }
  const { iid } = await site.send('POST', `${site.api}/merge_requests`, {
    source_branch: branch,
    target_branch: 'main',
    title: branch,
  })
  return `${site.api}/merge_requests/${iid}`
}

/** What git takes for the merge of two commits, so many times. */
const mergesByGit =
  (times: number): Work =>
  async ({ source }) => {
    for (let time = 0; time < times; time++) {
      const within = `--git-dir=${source}`
      const tree = await runGit([within, 'merge-tree', '--write-tree', 'main~3', 'main'])
      const identity = ['-c', 'user.name=Smith', '-c', 'user.email=smith@bloomery.test']
      await runGit([within, ...identity, 'commit-tree', tree.trim(), '-p', 'main', '-m', 'm'])
    }
  }

const requests: string[] = []
const query = (path: string) => encodeURIComponent(path)

export function largeRows({ large_commits, large_mb, largest_mb }: Sizes): Row[] {
  const tags = Math.round(large_commits / 20)
  const a = (bench: Bench) =>
    large(bench, 'wide', () => wideHistory({ commits: large_commits, tags }))
  const b = (bench: Bench) =>
    large(bench, 'branchy', function* () {
      yield* wideHistory({ commits: 200, tags: 10 })
      for (let number = 0; number < 20_000; number++) {
        yield `reset refs/heads/team-${number % 100}/branch-${number}\nfrom refs/heads/main\n\n`
      }
    })
  const c = (bench: Bench) =>
    large(bench, 'binaries', () => binaryHistory({ total_mb: large_mb, largest_mb }))
  const d = (bench: Bench) =>
    large(bench, 'book', () => bookHistory({ commits: 200, changes: 100 }))
  const e = (bench: Bench) =>
    large(bench, 'change', () => wideChange({ files: 3000, lines: 200_000 }))
  const old = `--max-count=20`
  return [
    row('A, push', a, { git: pushToGit('main', '--tags'), ours: push('main', '--tags') }),
    row('A, clone before upkeep', a, {
      prepare: withoutUpkeep,
      git: clone('source', '--bare'),
      ours: clone('url', '--bare'),
    }),
    row('A, clone without blobs before upkeep', a, {
      prepare: withoutUpkeep,
      git: clone('source', '--bare', '--filter=blob:none'),
      ours: clone('url', '--bare', '--filter=blob:none'),
    }),
    row('A, tree with last commits before upkeep', a, {
      prepare: withoutUpkeep,
      ours: read('/repository/tree?with_last_commit=true&per_page=100&path=area-0'),
      goal: { text: '<= 2.5 s', isMet: ({ ours }) => ours.value <= 2.5 },
    }),
    row('A, upkeep', a, { prepare: withoutUpkeep, git: upkeepByGit, ours: upkeep }),
    row('A, clone', a, { git: clone('source', '--bare'), ours: clone('url', '--bare') }),
    row('A, shallow clone', a, {
      git: clone('source', '--bare', '--depth=1'),
      ours: clone('url', '--bare', '--depth=1'),
    }),
    row('A, clone without blobs', a, {
      git: clone('source', '--bare', '--filter=blob:none'),
      ours: clone('url', '--bare', '--filter=blob:none'),
    }),
    row('A, clone by SSH', a, { git: clone('source', '--bare'), ours: cloneBySsh('--bare') }),
    row('A, push by SSH', a, { git: pushToGit('main'), ours: pushBySsh('main') }),
    row('A, sparse clone', a, {
      git: clone('source', '--filter=blob:none', '--sparse'),
      ours: clone('url', '--filter=blob:none', '--sparse'),
    }),
    row('A, blame, first time', a, {
      git: inSource('blame', '--porcelain', 'main', '--', ledgerPath),
      ours: read(`/repository/files/${ledgerPath}/blame?ref=main`),
    }),
    row('A, history of an old file', a, {
      git: inSource('log', old, '--format=raw', 'main', '--', deepPath),
      ours: read(`/repository/commits?ref_name=main&path=${query(deepPath)}`),
      goal: soon,
    }),
    row('A, history of a file', a, {
      git: inSource('log', old, '--format=raw', 'main', '--', widePath(7919)),
      ours: read(`/repository/commits?ref_name=main&path=${query(widePath(7919))}`),
      goal: soon,
    }),
    row('A, compare of far tags', a, {
      git: async (site, bench) => {
        await inSource('log', '--format=raw', '--max-count=10000', `v1..v${tags - 1}`)(site, bench)
        await inSource('diff', 'v1', `v${tags - 1}`)(site, bench)
      },
      ours: read(`/repository/compare?from=v1&to=v${tags - 1}`),
    }),
    row('A, archive', a, {
      git: inSource('archive', '--format=tar.gz', '--output=/dev/null', 'main'),
      ours: read('/repository/archive.tar.gz?sha=main'),
    }),
    row('A, search', a, {
      git: inSource('grep', '--count', 'changed by 77', 'main'),
      ours: read('/search?scope=blobs&search=changed%20by%2077'),
      goal: soon,
    }),
    row('A, contributors', a, {
      git: inSource('shortlog', '-sne', 'main'),
      ours: read('/repository/contributors'),
      goal: soon,
    }),
    row('A, languages', a, {
      git: inSource('ls-tree', '-r', '-l', 'main'),
      ours: read('/languages'),
      goal: soon,
    }),
    row('A, tree with last commits, cold', a, {
      git: inSource('log', '--format=%H', '--name-only', 'main', '--', 'area-1'),
      ours: read('/repository/tree?with_last_commit=true&per_page=100&path=area-1&ref=main'),
    }),
    row('A, tree with last commits, warm', a, {
      ours: read('/repository/tree?with_last_commit=true&per_page=100&path=area-1&ref=main'),
    }),
    row('A, merge of five commits', a, {
      prepare: async (site, bench) => {
        for (let number = 0; number < 3; number++) requests.push(await newRequest(site, bench))
      },
      ours: ({ send }) => send('PUT', `${requests[2]}/merge`),
    }),
    row('A, rebase of five commits', a, {
      git: mergesByGit(5),
      ours: async ({ send }) => {
        await send('PUT', `${requests[0]}/rebase`)
        const isOver = async () => {
          const { rebase_in_progress, merge_error } = await send(
            'GET',
            `${requests[0]}?include_rebase_in_progress=true`,
          )
          if (merge_error) throw new Error(String(merge_error))
          return rebase_in_progress === false
        }
        await until(isOver)
      },
      goal: soon,
    }),
    row('A, merge of five commits, squashed', a, {
      ours: ({ send }) => send('PUT', `${requests[1]}/merge`, { squash: true }),
    }),
    row('A, fork', a, {
      git: (site, bench) => runGit(['clone', '--quiet', '--bare', site.source, scratch(bench)]),
      ours: async ({ send, api }, bench) => {
        const { id } = await send('POST', `${api}/fork`, {
          path: `fork-${bench.nextNumber()}`,
          name: `fork-${bench.nextNumber()}`,
        })
        await until(async () => (await send('GET', `/projects/${id}`)).import_status === 'finished')
      },
      goal: soon,
    }),
    row('A, backup', a, {
      git: async ({ storage }, bench) => {
        const file = `${scratch(bench)}.tar`
        await mkdir(dirname(file), { recursive: true })
        await runProgram('tar', ['-cf', file, '-C', storage, '.'])
        await runProgram('sync', [file])
      },
      // The first one waits for the upkeep that the merges before have begun.
      prepare: backUp,
      ours: backUp,
      floorOf: 'tar of the repositories, synced',
    }),
    row('A, move to another storage', a, {
      git: ({ repository }, bench) => copyToDisk(repository, scratch(bench)),
      ours: moveStorage,
      floorOf: 'a copy of its folder, synced',
    }),
    row('B, push of 20,000 branches', b, { git: pushToGit('--all'), ours: push('--all') }),
    row('B, list of branches', b, {
      git: inSource('for-each-ref', 'refs/heads'),
      ours: read('/repository/branches?per_page=100'),
    }),
    row('B, clone', b, { git: clone('source', '--bare'), ours: clone('url', '--bare') }),
    row('C, push of binaries', c, { git: pushToGit('main'), ours: push('main') }),
    row('C, clone of binaries', c, {
      git: clone('source', '--bare'),
      ours: clone('url', '--bare'),
    }),
    row('C, largest file', c, {
      git: readByGit('media/film.bin'),
      ours: read('/repository/files/media%2Ffilm.bin/raw?ref=main'),
    }),
    row('D, push', d, { git: pushToGit('main'), ours: push('main') }),
    row('D, blame, first time', d, {
      git: inSource('blame', '--porcelain', 'main', '--', bookPath),
      ours: read(`/repository/files/${bookPath}/blame?ref=main&range[start]=1&range[end]=1000`),
    }),
    row('D, diff of one commit', d, {
      git: inSource('show', 'main'),
      ours: read('/repository/commits/main/diff'),
    }),
    row('E, push', e, { git: pushToGit('--all'), ours: push('--all') }),
    row('E, merge request made and its first page', e, {
      ours: async (site, bench) => {
        const { iid } = await site.send('POST', `${site.api}/merge_requests`, {
          source_branch: 'wide',
          target_branch: 'main',
          title: 'Wide',
        })
        const request = `/merge_requests/${iid}`
        requests.push(site.api + request)
        await read(`${request}/diffs?per_page=30`)(site, bench)
      },
    }),
    row('E, all changes', e, {
      git: inSource('diff', 'main...wide'),
      ours: (site, bench) =>
        read(`${requests.at(-1)?.slice(site.api.length)}/changes?access_raw_diffs=true`)(
          site,
          bench,
        ),
    }),
    row('E, merge', e, {
      prepare: ({ send }) =>
        until(
          async () =>
            (await send('GET', requests.at(-1) ?? '')).detailed_merge_status === 'mergeable',
        ),
      ours: ({ send }) => send('PUT', `${requests.at(-1)}/merge`),
    }),
  ]
}
