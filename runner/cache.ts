// Caches of jobs: archives in a folder of the runner, by project and key. A cache may always be missing.
import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobCache, RunnerWhen } from '../src/ci/protocol.ts'
import { packArchive, unpackArchive } from './archive.ts'
import { selectFiles } from './files.ts'

/** The maximum size of all caches together; beyond it the least recently used ones are deleted. */
const caches_bytes_max = 10 * 1024 ** 3

/** A cache with its variables expanded. */
export type ExpandedJobCache = {
  /** The first key is the one under which the cache is saved. */
  keys: string[]
  paths: string[]
  untracked: boolean
  pulls: boolean
  pushes: boolean
  when: RunnerWhen
}

/** Reads what a job says of a cache; `fallback` is the key that variables give for all of them. */
export function expandJobCache(
  cache: JobCache,
  { expand, fallback }: { expand: (text: string) => string; fallback: string | undefined },
): ExpandedJobCache {
  const policy = expand(cache.policy || 'pull-push')
  const keys = [cache.key, ...(cache.fallback_keys ?? [])].map(expand)
  return {
    keys: [...keys, fallback ?? '']
      .map((key, i) => (i === 0 ? key || 'default' : key))
      .filter(Boolean),
    paths: (cache.paths ?? []).map(expand),
    untracked: cache.untracked === true,
    pulls: policy !== 'push',
    pushes: policy !== 'pull',
    when: cache.when ?? 'on_success',
  }
}

export class CacheStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Unpacks the first existing cache of the keys into `folder`. Returns its key; undefined if none exists. */
  async restore(projectId: number, keys: readonly string[], folder: string) {
    for (const key of keys) {
      const path = this.#pathOf(projectId, key)
      if (!(await lstat(path).catch(() => undefined))) continue
      const now = new Date()
      await utimes(path, now, now)
      return { key, files: await unpackArchive(path, folder) }
    }
    return undefined
  }

  /** Packs the files of the cache. The old archive is replaced only when the new one is complete. */
  async save(
    projectId: number,
    cache: ExpandedJobCache,
    { folder, untracked }: { folder: string; untracked: string[] },
  ): Promise<{ key: string; files: number; warnings: string[] }> {
    const [key = 'default'] = cache.keys
    const { names, warnings } = await selectFiles(folder, { paths: cache.paths, others: untracked })
    if (names.length > 0) {
      const path = this.#pathOf(projectId, key)
      const next = `${path}.${process.pid}-${process.hrtime.bigint()}`
      await mkdir(join(this.#folder, String(projectId)), { recursive: true })
      try {
        await packArchive(next, folder, names)
        await rename(next, path)
      } finally {
        await rm(next, { force: true })
      }
    }
    return { key, files: names.filter((name) => !name.endsWith('/')).length, warnings }
  }

  /** Deletes remains of crashes, and the least recently used caches if all caches are too large. */
  async tidy(): Promise<void> {
    const found: { path: string; bytes: number; used_ms: number }[] = []
    for (const project of await readdir(this.#folder).catch(() => [])) {
      for (const name of await readdir(join(this.#folder, project))) {
        const path = join(this.#folder, project, name)
        if (!name.endsWith('.zip')) await rm(path, { force: true })
        else {
          const stats = await lstat(path)
          found.push({ path, bytes: stats.size, used_ms: stats.mtimeMs })
        }
      }
    }
    let together = found.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { path, bytes } of found.sort((a, b) => a.used_ms - b.used_ms)) {
      if (together <= caches_bytes_max) return
      await rm(path, { force: true })
      together -= bytes
    }
  }

  /** Returns the path of a cache. Keys are untrusted, so only their hash is used as a file name. */
  #pathOf(projectId: number, key: string): string {
    const name = createHash('sha256').update(key).digest('hex')
    return join(this.#folder, String(projectId), `${name}.zip`)
  }
}
