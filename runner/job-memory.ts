// Stops jobs before they use up the memory of the machine.
import { readdir, readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** The share of the machine's memory that all jobs together may use. */
const share_max = 0.75
const look_ms = 1000
const page_bytes = 4096

type Watched = { pid: number; onExcess: (message: string) => void }

export class JobMemory {
  readonly #bytes_max: number
  readonly #watched = new Set<Watched>()
  #isLooking = false

  /** `bytes_max` is the limit for all jobs together. */
  constructor(bytes_max = share_max * machineBytes()) {
    this.#bytes_max = bytes_max
  }

  /**
   * Watches a process and its descendants until the returned function is called. If all watched processes
   * together use too much memory, `onExcess` is called for the largest. This works on Linux only.
   */
  watch(pid: number, onExcess: (message: string) => void): () => void {
    const watched = { pid, onExcess }
    this.#watched.add(watched)
    if (!this.#isLooking) void this.#lookWhileWatched()
    return () => void this.#watched.delete(watched)
  }

  async #lookWhileWatched(): Promise<void> {
    this.#isLooking = true
    while (this.#watched.size > 0) {
      await wait(look_ms, undefined, { ref: false })
      await this.#look()
    }
    this.#isLooking = false
  }

  async #look(): Promise<void> {
    const children = await readChildren()
    const held = await Promise.all(
      [...this.#watched].map(async (watched) => {
        return { watched, bytes: await heldBy(watched.pid, children) }
      }),
    )
    const [most] = held.toSorted((a, b) => b.bytes - a.bytes)
    const together = held.reduce((sum, { bytes }) => sum + bytes, 0)
    if (!most || together <= this.#bytes_max) return
    most.watched.onExcess(
      `jobs may use ${inMegabytes(this.#bytes_max)} of memory on this machine, and this one used ${inMegabytes(most.bytes)}`,
    )
  }
}

/** Returns the memory that this process may use: that of the machine, or less in a control group. */
function machineBytes(): number {
  const bound = process.constrainedMemory()
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem()
}

/** Returns the child processes of each process (proc(5), `/proc/pid/stat`). */
async function readChildren(): Promise<Map<number, number[]>> {
  const children = new Map<number, number[]>()
  const names = await readdir('/proc').catch(() => [])
  for (const name of names) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // The name of the program is in parentheses and may itself contain spaces and parentheses.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const siblings = children.get(parent)
    if (siblings) siblings.push(pid)
    else children.set(parent, [pid])
  }
  return children
}

/**
 * Returns the memory of a process and its descendants that is not backed by files (proc(5),
 * `/proc/pid/statm`).
 */
async function heldBy(pid: number, children: ReadonlyMap<number, number[]>): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0 0')
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number)
  let bytes = Math.max(resident - shared, 0) * page_bytes
  for (const child of children.get(pid) ?? []) bytes += await heldBy(child, children)
  return bytes
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MB`
}
