// Which commit last touched each entry of a folder, all of them by one walk through the history.
import { hash } from 'node:crypto'
import { limits } from '../kernel/limits.ts'
import type { Git } from './command.ts'
import type { PathHistory } from './history.ts'
import { isTooMuch, KeptAnswers } from './kept-answers.ts'
import { type Oid, oidFrom } from './names.ts'
import { readRecords } from './records.ts'
import type { Repository } from './repository.ts'

/** A folder of a commit (empty for all of it), and the names in it that are asked for. */
export type FolderAt = { commit: Oid; folder: string; names: readonly string[] }

/** Names of all answers together. */
const kept_names_max = 200_000
/** A record is a path, or the beginning of a message. */
const record_bytes_max = 4 * 1024 * 1024

export class LastCommits {
  readonly #git: Git
  readonly #history: PathHistory
  readonly #kept = new KeptAnswers<Map<string, Oid>>(kept_names_max, ({ size }) => size + 1)

  constructor(git: Git, history: PathHistory) {
    this.#git = git
    this.#history = history
  }

  /**
   * By name, the commits that `PathHistory.lastCommit` tells; one process, none for what was asked before. A name
   * is missing when its commit lies deeper than `limits.last_commits_ms` go.
   */
  of(repository: Repository, at: FolderAt): Promise<ReadonlyMap<string, Oid>> {
    const question = hash('sha256', [at.folder, ...at.names].join('\0'))
    return this.#kept.get(`${repository.path}\0${at.commit}\0${question}`, async () => {
      const found = await this.#walk(repository, at)
      const prefix = prefixOf(at.folder)
      for (const [name, oid] of found) this.#history.keep(repository, at.commit, prefix + name, oid)
      return found
    })
  }

  async #walk(repository: Repository, at: FolderAt): Promise<Map<string, Oid>> {
    const walk = new Walk(at)
    const records = readRecords(this.#git, repository, {
      args: [...logArguments, at.commit, '--', ...(at.folder === '' ? [] : [at.folder])],
      mark: 0,
      record_bytes_max,
      output_bytes_max: Number.MAX_SAFE_INTEGER,
      timeout_ms: limits.last_commits_ms,
    })
    try {
      for await (const piece of records) {
        for (const record of piece) walk.read(record)
        if (walk.isDone) break
      }
      walk.end()
    } catch (error) {
      // What was found by then is true all the same.
      if (!isTooMuch(error)) throw error
    }
    return walk.found
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

const commitLine = /^commit ([0-9a-f]{40})((?: [0-9a-f]{40})*)(?: \(from ([0-9a-f]{40})\))?$/

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

  constructor({ folder, names }: FolderAt) {
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
    const [, text, parents = '', from] = commitLine.exec(line) ?? []
    if (text === undefined) return
    const oid = oidFrom(text)
    // A merge is told once for each parent that it differs from.
    if (this.#shown?.oid !== oid) {
      if (this.#shown) this.#settle(this.#shown)
      else this.#open.set(oid, new Set(this.#wanted))
      this.#shown = {
        oid,
        parents: parents.split(' ').filter(Boolean).map(oidFrom),
        changes: new Map(),
      }
    }
    const [only] = this.#shown.parents
    this.#changed = new Set()
    this.#shown.changes.set(from === undefined ? only : oidFrom(from), this.#changed)
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
