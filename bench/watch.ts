// What a piece of work costs beside its time: memory of the programs that do it, and how long monitors wait meanwhile.
import { readdirSync, readFileSync } from 'node:fs'

export type Watched = {
  s: number
  /** Anonymous memory of the process and all below it at its peak, beyond what they held before. */
  peak_mb: number
  /** The longest wait for `/-/health` meanwhile; 0 where nobody asked. */
  health_ms: number
}

const look_ms = 50

function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    )
  } catch {
    return []
  }
}

/** `RssAnon` of proc(5): without files that are mapped into memory, as packs are. */
function held_mb(pid: number): number {
  let own_kb = 0
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    own_kb = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
  } catch {
    // The process has just ended.
  }
  return childrenOf(pid).reduce((sum, child) => sum + held_mb(child), own_kb / 1024)
}

/** Does the work and watches the processes below `pid`, and `healthUrl` where one is given. */
export async function watch(
  task: () => Promise<unknown>,
  { pid, healthUrl }: { pid: number; healthUrl?: string },
): Promise<Watched> {
  const before_mb = held_mb(pid)
  let peak_mb = before_mb
  let health_ms = 0
  let isOver = false
  const sampler = setInterval(() => {
    peak_mb = Math.max(peak_mb, held_mb(pid))
  }, look_ms)
  const monitor = async () => {
    while (healthUrl && !isOver) {
      const asked = performance.now()
      await (await fetch(healthUrl)).text()
      health_ms = Math.max(health_ms, performance.now() - asked)
      await new Promise((resolve) => setTimeout(resolve, look_ms))
    }
  }
  const monitored = monitor()
  const began = performance.now()
  try {
    await task()
    return { s: (performance.now() - began) / 1000, peak_mb: peak_mb - before_mb, health_ms }
  } finally {
    isOver = true
    clearInterval(sampler)
    await monitored
  }
}
