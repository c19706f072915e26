// Maintains the mirrors in `cache/mirrors` (mirrors.ts): deletes unused ones, and packs those that were fetched into.
import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, isRepositoryInUse } from '../git/command.ts'
import { removeRepository } from '../git/create-repository.ts'
import { maintainRepository } from '../git/maintenance.ts'
import type { Repository } from '../git/repository.ts'
import type { Clock } from '../kernel/clock.ts'
import { unlessGone } from '../kernel/unless-gone.ts'

const every_ms = 60 * 60_000
/** How long a mirror is kept after its last use. */
export const unused_ms_max = 7 * 24 * 60 * 60_000

/** Sets the time of a file in the mirror, as the time of its last use. */
export async function markMirrorUsed({ path }: Repository, now: Date): Promise<void> {
  await utimes(join(path, 'HEAD'), now, now)
}

/** Maintains the mirrors below a folder once an hour, until it is closed. */
export class MirrorUpkeep {
  readonly #uses: { git: Git; folder: string; clock: Clock }
  readonly #fetched = new Map<string, Repository>()
  readonly #timer: NodeJS.Timeout

  constructor(
    uses: { git: Git; folder: string; clock: Clock },
    { onError }: { onError: (error: unknown) => void },
  ) {
    this.#uses = uses
    this.#timer = setInterval(() => this.run().catch(onError), every_ms).unref()
  }

  /** Marks the mirror to be packed with the next run. */
  noteFetch(mirror: Repository): void {
    this.#fetched.set(mirror.path, mirror)
  }

  async run(): Promise<void> {
    const { git, folder, clock } = this.#uses
    const now_ms = clock().getTime()
    const fetched = [...this.#fetched.values()]
    this.#fetched.clear()
    for (const mirror of fetched) await maintainRepository(git, mirror)
    for (const path of await listMirrors(folder)) {
      const head = await unlessGone(stat(join(path, 'HEAD')))
      if (!head || now_ms - head.mtimeMs < unused_ms_max || isRepositoryInUse({ path })) continue
      await removeRepository({ path })
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

/** Lists the paths of the mirrors, which are stored below a folder for each storage like the repositories of a storage. */
async function listMirrors(folder: string): Promise<string[]> {
  let paths = [folder]
  for (let depth = 0; depth < 4; depth++) {
    const below = await Promise.all(
      paths.map(async (path) =>
        ((await unlessGone(readdir(path))) ?? []).map((name) => join(path, name)),
      ),
    )
    paths = below.flat()
  }
  return paths.filter((path) => path.endsWith('.git'))
}
