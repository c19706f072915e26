// Reserves the memory that git-upload-pack needs for a pack when an SSH client sends its wants (gitprotocol-pack and
// gitprotocol-v2, "want"). Until then git only lists references, which needs little.
import type { Git } from '../../git/command.ts'
import { acquireWithReminders } from '../../git/git-limiter.ts'
import { estimateFetch_bytes, type FetchPlan } from '../../git/memory-estimate.ts'

const want = Buffer.from('want ')

type FetchMemoryOptions = {
  git: Git
  plan: FetchPlan
  signal: AbortSignal
  /** Called while the client has to wait, as `acquireWithReminders` does. */
  onWait: () => void
}

export class FetchMemoryReservation {
  readonly #options: FetchMemoryOptions
  /** The end of the last piece, because the word may be divided between two. */
  #tail = Buffer.alloc(0)
  #isAsked = false
  #isEnded = false
  #release = () => {}

  constructor(options: FetchMemoryOptions) {
    this.#options = options
  }

  /**
   * Resolves when git may be given what the client sent, which is after a wait where it begins to say what it wants and
   * the machine has no room. Throws what `FairLimiter.acquire` throws.
   */
  async prepare(chunk: Buffer): Promise<void> {
    if (this.#isAsked) return
    const text = Buffer.concat([this.#tail, chunk])
    this.#tail = text.subarray(-want.length)
    if (!text.includes(want)) return
    this.#isAsked = true
    const { git, plan, signal, onWait } = this.#options
    const bytes = estimateFetch_bytes(plan, text)
    const release = await acquireWithReminders(() => git.memory.reserve(bytes, signal), onWait)
    if (this.#isEnded) release()
    else this.#release = release
  }

  /** Gives the memory back. */
  end(): void {
    this.#isEnded = true
    this.#release()
  }
}
