// Limits how many git programs run at once, by kind: over all callers and for each of them (limits.git_turns).
// command.ts takes a turn for every program, so no code can bypass it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { FairLimiter, type FairLimiterBounds } from '../kernel/fair-limiter.ts'
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import { serverHolder } from '../kernel/work-attribution.ts'

/** How many programs of a kind are running and waiting, and how many may run. */
export type GitLimiterStats = {
  kind: GitCommandKind
  running: number
  running_max: number
  waiting: number
}

export type GitCommandKind = keyof typeof limits.git_turns

/** Commands that are more than a short read, which is what all others are. */
const kinds: Record<string, GitCommandKind> = {
  'upload-pack': 'fetch',
  fetch: 'fetch',
  push: 'fetch',
  'upload-archive': 'archive',
  archive: 'archive',
  // Whole diffs and patches are streamed to clients, which may be slow.
  diff: 'archive',
  'format-patch': 'archive',
  'index-pack': 'push',
  init: 'write',
  'symbolic-ref': 'write',
  'update-ref': 'write',
  grep: 'search',
  'commit-graph': 'upkeep',
  'pack-refs': 'upkeep',
  repack: 'upkeep',
}

/** Returns the kind of a command by its arguments. */
export function classifyGitCommand([subcommand = '', ...flags]: readonly string[]): GitCommandKind {
  if (subcommand === 'cat-file' && flags.includes('--batch-command')) return 'kept'
  // A blob is streamed to a client, which may be slow.
  if (subcommand === 'cat-file' && flags[0] === 'blob') return 'fetch'
  return ownValue(kinds, subcommand) ?? 'read'
}

export class GitLimiter {
  readonly #budgets: ReadonlyMap<GitCommandKind, FairLimiter>
  readonly #held = new AsyncLocalStorage<GitCommandKind>()

  /** `workers` is how many processes share what may run at once on this machine. */
  constructor(workers: number) {
    const entries = Object.entries(limits.git_turns) as [GitCommandKind, FairLimiterBounds][]
    this.#budgets = new Map(
      entries.map(([kind, bounds]) => {
        const running_max = Math.ceil(bounds.running_max / workers)
        const running_of_one_max = Math.min(bounds.running_of_one_max, running_max)
        return [kind, new FairLimiter({ ...bounds, running_max, running_of_one_max })]
      }),
    )
  }

  /** The turn that the caller holds already, from which all it starts goes. */
  get held(): GitCommandKind | undefined {
    return this.#held.getStore()
  }

  /** How every kind stands. */
  figures(): GitLimiterStats[] {
    return [...this.#budgets].map(([kind, { running, running_max, waiting }]) => ({
      kind,
      running,
      running_max,
      waiting,
    }))
  }

  /** How many run for that now; tests count with it. */
  running(kind: GitCommandKind): number {
    return this.#budget(kind).running
  }

  /**
   * Waits for a turn, unless the caller holds one: nobody who has a turn ever waits for another, so no two
   * wait for each other. The function answered ends it. Throws what `FairLimiter.acquire` throws.
   */
  async take(kind: GitCommandKind, signal?: AbortSignal): Promise<() => void> {
    // A pooled process outlives the first caller that needed it.
    if (kind === 'kept') return this.#budget(kind).acquire({ holder: serverHolder })
    if (this.held) return () => {}
    return this.#budget(kind).acquire({ signal })
  }

  /** One turn for all that `work` starts, one after another. `onWait` is called as `acquireWithReminders` does. */
  async hold<T>(
    kind: GitCommandKind,
    work: () => Promise<T>,
    { signal, onWait }: { signal?: AbortSignal; onWait?: () => void } = {},
  ): Promise<T> {
    const end = await acquireWithReminders(() => this.take(kind, signal), onWait)
    try {
      return await this.#held.run(kind, work)
    } finally {
      end()
    }
  }

  #budget(kind: GitCommandKind): FairLimiter {
    return this.#budgets.get(kind) as FairLimiter
  }
}

const firstReminder_ms = 1_000
const nextReminder_ms = 15_000

/** Awaits `acquire`, and calls `onWait` after a second of waiting and again from time to time. */
export async function acquireWithReminders<T>(
  acquire: () => Promise<T>,
  onWait?: () => void,
): Promise<T> {
  if (!onWait) return acquire()
  let timer: NodeJS.Timeout
  const remind = () => {
    onWait()
    timer = setTimeout(remind, nextReminder_ms)
  }
  timer = setTimeout(remind, firstReminder_ms)
  try {
    return await acquire()
  } finally {
    clearTimeout(timer)
  }
}
