// Pushes a repository to a server of its own and holds what the API says of it against what git says.
// `node tools/compare-with-git.ts <bare repository> [samples] [seed]`
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './server-process.ts'

const [source = '', samplesText = '100', seedText = '1'] = process.argv.slice(2)
const samples = Number(samplesText)
const token = 'glpat-the-token-of-the-comparison'
const data = mkdtempSync(join(tmpdir(), 'bloomery-compare-'))

let state = Number(seedText)
/** A small generator, so that a run can be repeated (mulberry32). */
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T

/** Returns the output of git; invalid UTF-8 is replaced, as the API does. */
function git(...args: string[]): string {
  const options = { maxBuffer: 1024 ** 3, stdio: ['ignore', 'pipe', 'pipe'] as const }
  const settings = ['-c', 'core.quotePath=false', '-c', 'diff.renames=true']
  return execFileSync('git', [...settings, '--git-dir', source, ...args], {
    ...options,
    stdio: [...options.stdio],
  }).toString('utf8')
}
const lines = (text: string) => text.split('\n').filter((line) => line !== '')

type Tally = { same: number; different: string[] }
const tallies = new Map<string, Tally>()

function compare(what: string, which: string, ours: unknown, theirs: unknown): void {
  const tally = tallies.get(what) ?? { same: 0, different: [] }
  tallies.set(what, tally)
  const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)]
  if (a === b) {
    tally.same++
    return
  }
  let at = 0
  while (a?.[at] === b?.[at]) at++
  const around = (text = '') => text.slice(Math.max(0, at - 60), at + 120)
  tally.different.push(`${which}\n    ours ${around(a)}\n    git  ${around(b)}`)
}

const base = `http://127.0.0.1:${await freePort()}`

async function call(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown }> {
  const headers = { 'private-token': token, 'content-type': 'application/json' }
  const ask = () => fetch(`${base}/api/v4${path}`, { ...init, headers })
  // A kept connection may have been closed while git ran and nothing here did.
  const answer = await ask().catch(ask)
  return { status: answer.status, body: await answer.json() }
}

let projectPath = ''
async function get<T>(path: string): Promise<T> {
  const { status, body } = await call(projectPath + path)
  if (status === 200) return body as T
  throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
}

function startServer(): ChildProcess {
  return spawn(process.execPath, ['dist/main.js', 'serve'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      PATH: process.env.PATH,
      BLOOMERY_DATA: data,
      BLOOMERY_PORT: new URL(base).port,
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_ROOT_TOKEN: token,
      BLOOMERY_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function pushAll(): Promise<void> {
  const name = `compared-${Date.now()}`
  const made = await call('/projects', {
    method: 'POST',
    body: JSON.stringify({ name, default_branch: head }),
  })
  const { id, path_with_namespace } = made.body as { id: number; path_with_namespace: string }
  projectPath = `/projects/${id}/repository`
  const url = base.replace('//', `//root:${token}@`)
  git('push', '--quiet', `${url}/${path_with_namespace}.git`, 'refs/heads/*', 'refs/tags/*')
}

type Commit = Record<string, unknown> & {
  id: string
  stats: { additions: number; deletions: number }
}
type Diff = { old_path: string; new_path: string; diff: string; b_mode: string }

const head = git('symbolic-ref', '--short', 'HEAD').trim()
const server = startServer()
try {
  for (let tries = 0; tries < 600; tries++) {
    if ((await call('/version').catch(() => undefined))?.status === 200) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await pushAll()
  const all = lines(git('rev-list', head))
  console.log(`${all.length} commits on ${head}, ${samples} samples`)
  const steps = [compareLists, compareCommits, compareContaining, compareFiles, compareTrees]
  for (const step of steps) {
    const began = performance.now()
    await step(all)
    console.log(`${step.name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  rmSync(data, { recursive: true, force: true })
}
for (const [what, { same, different }] of tallies) {
  console.log(`${what}: ${same} the same, ${different.length} different`)
  for (const text of different.slice(0, 5)) console.log(`  ${text}`)
}
process.exitCode = [...tallies.values()].some(({ different }) => different.length > 0) ? 1 : 0

async function compareLists(all: readonly string[]): Promise<void> {
  const ids = async (query: string) =>
    (await get<Commit[]>(`/commits?${query}`)).map(({ id }) => id)
  const log = (...args: string[]) => lines(git('log', '--format=%H', ...args))
  const tags = lines(git('tag'))
  const files = lines(git('ls-tree', '-r', '--name-only', head))
  for (let sample = 0; sample < samples / 4; sample++) {
    const page = 1 + Math.floor((random() * all.length) / 50)
    const part = ['-50', `--skip=${(page - 1) * 50}`]
    const paging = `per_page=50&page=${page}`
    compare('list', paging, await ids(paging), log(...part, head))
    const first = Math.min(page, 40)
    const firstPart = ['-50', `--skip=${(first - 1) * 50}`]
    const query = `per_page=50&page=${first}`
    const parents = await ids(`${query}&first_parent=true`)
    compare('first_parent', query, parents, log(...firstPart, '--first-parent', head))
    const topo = await ids(`${query}&order=topo`)
    compare('order=topo', query, topo, log(...firstPart, '--topo-order', head))
    const every = await ids(`${query}&all=true`)
    compare('all', query, every, log(...firstPart, '--branches', '--tags'))
    if (tags.length > 1) {
      const range = `${pick(tags)}..${pick(tags)}`
      compare('range', range, await ids(`per_page=100&ref_name=${range}`), log('-100', range, '--'))
    }
    const since = git('log', '-1', '--format=%cI', pick(all)).trim()
    const until = `per_page=100&until=${encodeURIComponent(since)}`
    compare('until', until, await ids(until), log('-100', `--until=${since}`, head))
    const path = pick(files)
    const query2 = `per_page=100&path=${encodeURIComponent(path)}`
    compare('path', path, await ids(query2), log('-100', '--follow', head, '--', path))
  }
}

async function compareCommits(all: readonly string[]): Promise<void> {
  const format = '%H%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI'
  for (let sample = 0; sample < samples; sample++) {
    const oid = pick(all)
    const commit = await get<Commit>(`/commits/${oid}`)
    const [id, parents = '', ...rest] = git('log', '-1', `--format=${format}`, oid)
      .replace(/\n$/, '')
      .split('\0')
    const withMilliseconds = (date: unknown) => String(date).replace('.000', '')
    const fields = [
      ...[commit.author_name, commit.author_email, withMilliseconds(commit.authored_date)],
      ...[commit.committer_name, commit.committer_email, withMilliseconds(commit.committed_date)],
    ]
    const dates = rest.map((text) => text.replace(/Z$/, '+00:00'))
    compare(
      'commit',
      oid,
      [commit.id, commit.parent_ids, fields],
      [id, parents.split(' ').filter(Boolean), dates],
    )
    const message = git('cat-file', 'commit', oid)
    const isUtf8 = !/^encoding /m.test(message.slice(0, message.indexOf('\n\n')))
    if (isUtf8) compare('message', oid, commit.message, message.slice(message.indexOf('\n\n') + 2))
    const from = parents.split(' ')[0] || '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
    const counts = lines(git('diff-tree', '-r', '-M', '--numstat', from, oid)).map((line) =>
      line
        .split('\t')
        .slice(0, 2)
        .map((count) => Number(count) || 0),
    )
    const sum = (at: number) => counts.reduce((total, count) => total + (count[at] ?? 0), 0)
    compare('stats', oid, [commit.stats.additions, commit.stats.deletions], [sum(0), sum(1)])
    if (counts.length > 100) continue
    const diffs = await get<Diff[]>(`/commits/${oid}/diff?per_page=100`)
    const patches = git('diff-tree', '-r', '-M', '-p', '--full-index', from, oid)
      .split(/^diff --git .*\n/m)
      .slice(1)
      .map((text) => /^(@@|Binary)[\s\S]*/m.exec(text)?.[0] ?? '')
    // A patch too long is left out by us alone.
    const shown = patches.map((text, at) => (diffs[at]?.diff === '' ? '' : text))
    compare(
      'diff',
      oid,
      diffs.map(({ diff }) => diff),
      shown,
    )
  }
}

async function compareContaining(all: readonly string[]): Promise<void> {
  for (let sample = 0; sample < samples / 10; sample++) {
    const oid = pick(all)
    const refs: { type: string; name: string }[] = []
    for (let page = 1; ; page++) {
      const query = `per_page=100&page=${page}`
      const part = await get<typeof refs>(`/commits/${oid}/refs?${query}`)
      refs.push(...part)
      if (part.length < 100) break
    }
    const named = (type: string) => refs.filter((ref) => ref.type === type).map(({ name }) => name)
    const byGit = (prefix: string) =>
      lines(git('for-each-ref', '--format=%(refname)', `--contains=${oid}`, prefix)).map((name) =>
        name.slice(prefix.length),
      )
    compare('branches of a commit', oid, named('branch'), byGit('refs/heads/'))
    compare('tags of a commit', oid, named('tag'), byGit('refs/tags/'))
  }
}

async function compareFiles(all: readonly string[]): Promise<void> {
  type File = { last_commit_id: string; blob_id: string; size: number }
  type Blame = { commit: { id: string }; lines: string[] }
  for (let sample = 0; sample < samples / 4; sample++) {
    const oid = pick(all)
    const entry = pick(lines(git('ls-tree', '-r', oid)).filter((line) => line.includes(' blob ')))
    const [, blob = '', path = ''] = /^\d+ blob (\w+)\t(.*)$/.exec(entry) ?? []
    const url = `/files/${encodeURIComponent(path)}`
    const file = await get<File>(`${url}?ref=${oid}`)
    const last = git('rev-list', '-1', oid, '--', path).trim()
    compare('file', `${oid} ${path}`, [file.last_commit_id, file.blob_id], [last, blob])
    if (file.size > 200_000) continue
    const blame = await get<Blame[]>(`${url}/blame?ref=${oid}`)
    const owners = blame.flatMap(({ commit, lines }) => lines.map(() => commit.id))
    const porcelain = git('blame', '-s', '-l', '--root', oid, '--', path)
    compare(
      'blame',
      `${oid} ${path}`,
      owners,
      lines(porcelain).map((line) => line.slice(0, 40)),
    )
  }
}

async function compareTrees(all: readonly string[]): Promise<void> {
  type Entry = { mode: string; type: string; id: string; path: string }
  for (let sample = 0; sample < samples / 4; sample++) {
    const [oid, other] = [pick(all), pick(all)]
    const entries = await get<Entry[]>(`/tree?ref=${oid}&recursive=true&pagination=none`)
    const shown = entries.map(({ mode, type, id, path }) => `${mode} ${type} ${id}\t${path}`).sort()
    compare('tree', oid, shown, lines(git('ls-tree', '-r', '-t', oid)).sort())
    const base = await get<Commit>(`/merge_base?refs[]=${oid}&refs[]=${other}`)
    const bases = lines(git('merge-base', '--all', oid, other))
    compare('merge base', `${oid} ${other}`, bases.includes(base.id), true)
  }
}
