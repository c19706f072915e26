import { createLruCache } from '../kernel/lru.ts'
import { type Git, runGit } from './command.ts'
import { asOid, type Oid } from './names.ts'
import type { Repository } from './repository.ts'

/** Finds the commit that last changed a path. Results are cached, since they never change. */
export class PathHistoryReader {
  readonly #git: Git
  readonly #kept = createLruCache<Oid>(50_000)
  readonly #running = new Map<string, Promise<Oid | undefined>>()

  constructor(git: Git) {
    this.#git = git
  }

  /** The newest commit, seen from `commit`, that touched `path` (as `git rev-list -1 <commit> -- <path>`). */
  async lastCommit(repository: Repository, commit: Oid, path: string): Promise<Oid | undefined> {
    const key = keyOf(repository, commit, path)
    const kept = this.#kept.get(key)
    if (kept) return kept
    // Concurrent callers with the same question share one process.
    let running = this.#running.get(key)
    if (!running) {
      running = this.#walk(repository, commit, path)
      this.#running.set(key, running)
      running.finally(() => this.#running.delete(key)).catch(() => {})
    }
    const oid = await running
    if (oid) this.#kept.set(key, oid)
    return oid
  }

  /** Records what a commit of the server itself touched, so that no process has to find it. */
  record(repository: Repository, commit: Oid, paths: Iterable<string>): void {
    for (const path of paths) this.keep(repository, commit, path, commit)
  }

  /** Records an answer that was found in another way. */
  keep(repository: Repository, commit: Oid, path: string, last: Oid): void {
    this.#kept.set(keyOf(repository, commit, path), last)
  }

  async #walk(repository: Repository, commit: Oid, path: string): Promise<Oid | undefined> {
    const output = await runGit(this.#git, repository, {
      args: ['rev-list', '--max-count=1', commit, '--', path],
    })
    return asOid(output.toString('latin1').trim())
  }
}

function keyOf(repository: Repository, commit: Oid, path: string): string {
  return `${repository.path}\0${commit}\0${path}`
}
