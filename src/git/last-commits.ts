// Finds the last commit of each entry of a folder, all with one walk through the history.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { limits } from '../kernel/limits.ts'
import type { Git } from './command.ts'
import { isLimitExceeded } from './git-result-cache.ts'
import type { PathHistoryReader } from './history.ts'
import { resolveWithinTimeout } from './keep-alive.ts'
import { asOid, type Oid } from './names.ts'
import { readGitRecords } from './records.ts'
import type { Repository } from './repository.ts'

/** A folder of a commit (empty for the root), and the names in it to find the last commits of. */
export type LastCommitsRequest = { commit: Oid; folder: string; names: readonly string[] }

/** Names of all answers together. */
const kept_names_max = 200_000
/** A record is a path or the beginning of a commit message. */
const record_bytes_max = 4 * 1024 * 1024

/** `isWhole`: the last commit of every name was found, or does not exist. */
export type LastCommitsResult = { found: ReadonlyMap<string, Oid>; isWhole: boolean }

/** A walk through the history that is in progress, with what it has found so far. */
type Running = { walk: Walk; end: Promise<LastCommitsResult> }

/** Walks that nobody waits for any more, at once. */
const background_walks_max = 2

export class LastCommitReader {
  readonly #git: Git
  readonly #history: PathHistoryReader
  readonly #kept = new LRUCache<string, LastCommitsResult>({
    maxSize: kept_names_max,
    sizeCalculation: ({ found }) => found.size + 1,
  })
  readonly #running = new Map<string, Running>()
  #inBackground = 0

  constructor(git: Git, history: PathHistoryReader) {
    this.#git = git
    this.#history = history
  }

  /**
   * By name, the commits that `PathHistoryReader.lastCommit` returns; one process, none for what was asked before. After
   * `limits.last_commits_ms` the answer has what was found by then; the walk goes on, and a later answer is whole.
   */
  async of(repository: Repository, at: LastCommitsRequest): Promise<LastCommitsResult> {
    const question = hash('sha256', [at.folder, ...at.names].join('\0'))
    const key = `${repository.path}\0${at.commit}\0${question}`
    const kept = this.#kept.get(key)
    if (kept) return kept
    const running = this.#running.get(key) ?? this.#start(key, repository, at)
    const found = await resolveWithinTimeout(running.end, limits.last_commits_ms)
    return found ?? { found: new Map(running.walk.found), isWhole: false }
  }

  #start(key: string, repository: Repository, at: LastCommitsRequest): Running {
    const walk = new Walk(at)
    const surplus = new AbortController()
    const begun = this.#walk(repository, at, { walk, signal: surplus.signal })
    const timer = setTimeout(() => {
      if (this.#inBackground >= background_walks_max) return surplus.abort()
      this.#inBackground++
      const end = () => this.#inBackground--
      begun.then(end, end)
    }, limits.last_commits_ms)
    const end = begun.then(
      (found) => {
        this.#kept.set(key, found)
        return found
      },
      (error) => {
        // The next caller starts a new walk.
        if (surplus.signal.aborted) return { found: walk.found, isWhole: false }
        throw error
      },
    )
    end
      .finally(() => {
        clearTimeout(timer)
        this.#running.delete(key)
      })
      .catch(() => {})
    const running = { walk, end }
    this.#running.set(key, running)
    return running
  }

  async #walk(
    repository: Repository,
    at: LastCommitsRequest,
    { walk, signal }: { walk: Walk; signal: AbortSignal },
  ): Promise<LastCommitsResult> {
    let isWhole = true
    const records = readGitRecords(this.#git, repository, {
      args: [...logArguments, at.commit, '--', ...(at.folder === '' ? [] : [at.folder])],
      mark: 0,
      record_bytes_max,
      output_bytes_max: Number.MAX_SAFE_INTEGER,
      timeout_ms: limits.last_commits_walk_ms,
      signal,
    })
    try {
      for await (const piece of records) {
        for (const record of piece) walk.read(record)
        if (walk.isDone) break
      }
      walk.end()
    } catch (error) {
      // The commits found so far are correct, and another walk would not get further.
      if (!isLimitExceeded(error)) throw error
      isWhole = false
    }
    for (const [name, oid] of walk.found) {
      this.#history.keep(repository, at.commit, prefixOf(at.folder) + name, oid)
    }
    return { found: walk.found, isWhole }
  }
}

// Children before parents, every merge with what it changed of each parent, and parents that are the next commits
// shown: whatever lies between changed nothing in the folder.
const logArguments = [
  ...['log', '--topo-order', '--parents', '--full-history', '--diff-merges=separate'],
  ...['--raw', '--no-abbrev', '--no-renames', '--no-abbrev-commit', '-z'],
  ...['--pretty=short', '--no-notes', '--no-decorate', '--no-mailmap'],
]

function prefixOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`
}

type Shown = { oid: Oid; parents: Oid[]; changes: Map<Oid | undefined, Set<string>> }

/** Parses `commit <oid> <parents> (from <parent>)`; the last part is there only for a merge (git-log(1), `--parents`). */
function readCommitLine(
  line: string,
): { oid: Oid; parents: Oid[]; from: Oid | undefined } | undefined {
  const [names = '', from] = line.slice('commit '.length).split(' (from ', 2)
  const [oid, ...parents] = names.split(' ').map(asOid)
  if (!oid) return undefined
  return {
    oid,
    parents: parents.flatMap((parent) => parent ?? []),
    from: from === undefined ? undefined : asOid(from.slice(0, -1)),
  }
}

/**
 * Follows each name as git follows one path (git-log(1), "History Simplification"): from a commit to the first of
 * its parents that has the same there, or else it is the commit that touched it.
 */
class Walk {
  readonly found = new Map<string, Oid>()
  readonly #prefix: string
  readonly #wanted: Set<string>
  /** Names by the commit that their history has led to, which was not shown yet. */
  readonly #open = new Map<Oid, Set<string>>()
  #shown: Shown | undefined
  #changed: Set<string> | undefined
  #isPath = false

  constructor({ folder, names }: LastCommitsRequest) {
    this.#prefix = prefixOf(folder)
    this.#wanted = new Set(names)
  }

  get isDone(): boolean {
    return this.found.size === this.#wanted.size
  }

  /** Takes a commit, what became of an entry, or the path that follows it. */
  read(record: string): void {
    if (this.#isPath) {
      this.#readPath(record)
      return
    }
    if (record.startsWith('commit ')) this.#readCommit(record.split('\n', 1)[0] ?? '')
    // The first entry ends the record of its commit, whose message is indented.
    this.#isPath = record.startsWith(':', record.lastIndexOf('\n') + 1)
  }

  /** Says that there are no further records. */
  end(): void {
    if (this.#shown) this.#settle(this.#shown)
    this.#shown = undefined
  }

  #readPath(path: string): void {
    this.#isPath = false
    if (!path.startsWith(this.#prefix)) return
    const name = path.slice(this.#prefix.length).split('/', 1)[0] ?? ''
    if (this.#wanted.has(name)) this.#changed?.add(name)
  }

  #readCommit(line: string): void {
    const commit = readCommitLine(line)
    if (!commit) return
    const { oid, parents, from } = commit
    // A merge is listed once for each parent that it differs from.
    if (this.#shown?.oid !== oid) {
      if (this.#shown) this.#settle(this.#shown)
      else this.#open.set(oid, new Set(this.#wanted))
      this.#shown = {
        oid,
        parents,
        changes: new Map(),
      }
    }
    const [only] = this.#shown.parents
    this.#changed = new Set()
    this.#shown.changes.set(from ?? only, this.#changed)
  }

  /** Hands the names of a commit on to its parents; only what it changed is looked at one by one. */
  #settle({ oid, parents, changes }: Shown): void {
    const names = this.#open.get(oid)
    if (!names) return
    this.#open.delete(oid)
    const [first, ...others] = parents
    if (!first) {
      this.#find(oid, names)
      return
    }
    for (const name of changes.get(first) ?? []) {
      if (!names.delete(name)) continue
      const same = others.find((parent) => !changes.get(parent)?.has(name))
      if (same) this.#follow(same, new Set([name]))
      else this.#find(oid, [name])
    }
    this.#follow(first, names)
  }

  #find(oid: Oid, names: Iterable<string>): void {
    for (const name of names) this.found.set(name, oid)
  }

  #follow(parent: Oid, names: Set<string>): void {
    const there = this.#open.get(parent) ?? new Set()
    const [more, fewer] = there.size > names.size ? [there, names] : [names, there]
    for (const name of fewer) more.add(name)
    if (more.size > 0) this.#open.set(parent, more)
  }
}
