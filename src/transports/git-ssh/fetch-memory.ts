// The memory that git-upload-pack needs to make a pack, for one client of SSH: reserved when the client says what it
// wants (gitprotocol-pack and gitprotocol-v2, "want"). Until then git only lists references, which needs little, and the
// client may take its time.
import { reserveMemory } from '../../git/command.ts'
import type { GitAccess } from '../../git/git.ts'
import { waitingText } from '../../git/keep-alive.ts'
import { estimateFetch_bytes } from '../../git/memory-estimate.ts'
import type { Repository } from '../../git/repository.ts'
import { limits } from '../../kernel/limits.ts'
import type { ChannelIo } from './channel-io.ts'

const want = Buffer.from('want ')

export class FetchMemory {
  readonly #git: GitAccess
  readonly #io: ChannelIo
  readonly #repository: Repository
  /** Runs until the client says what it wants; git itself would also count the time for which its client has to wait. */
  readonly #silence: NodeJS.Timeout
  /** The end of the last piece, because the word may be divided between two. */
  #tail = Buffer.alloc(0)
  #isReserved = false
  #isEnded = false
  #release = () => {}

  /** `onSilence` is called when the client says nothing for `limits.ssh.wait_ms`. */
  constructor({
    git,
    io,
    repository,
    onSilence,
  }: {
    git: GitAccess
    io: ChannelIo
    repository: Repository
    onSilence: () => void
  }) {
    this.#git = git
    this.#io = io
    this.#repository = repository
    this.#silence = setTimeout(onSilence, limits.ssh.wait_ms)
  }

  /**
   * Resolves when git may be given what the client sent, which is after a wait where it begins to say what it wants and
   * the machine has no room. Throws what Budget.acquire throws.
   */
  async prepare(chunk: Buffer): Promise<void> {
    if (this.#isReserved) return
    this.#silence.refresh()
    const text = Buffer.concat([this.#tail, chunk])
    this.#tail = text.subarray(-want.length)
    if (!text.includes(want)) return
    this.#isReserved = true
    clearTimeout(this.#silence)
    const release = await reserveMemory(this.#git.git, {
      memory_bytes: await estimateFetch_bytes(this.#repository, text),
      signal: this.#io.signal,
      onWait: () => this.#io.warn(`remote: ${waitingText}`),
    })
    if (this.#isEnded) release()
    else this.#release = release
  }

  /** Gives the memory back. */
  end(): void {
    this.#isEnded = true
    clearTimeout(this.#silence)
    this.#release()
  }
}
