// Detects when the event loop is blocked for too long, since the whole server is one thread.
import { monotonic_ms } from '../kernel/clock.ts'
import { limits } from '../kernel/limits.ts'
import { lastActiveWork } from '../kernel/work-attribution.ts'

export type Stall = { duration_ms: number /** What was under way. */; work: string }

/** Reports every stall of the event loop, until the returned function is called. */
export function watchEventLoop(onStall: (stall: Stall) => void): () => void {
  const { look_ms, stall_ms } = limits.watchdog
  let looked_ms = monotonic_ms()
  const timer = setInterval(() => {
    const now_ms = monotonic_ms()
    const late_ms = now_ms - looked_ms - look_ms
    looked_ms = now_ms
    if (late_ms > stall_ms)
      onStall({ duration_ms: Math.round(late_ms), work: lastActiveWork().name })
  }, look_ms)
  timer.unref()
  return () => clearInterval(timer)
}
