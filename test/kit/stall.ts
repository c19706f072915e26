import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

const look_ms = 10

/** The longest time, in milliseconds, in which nobody else got a turn while the task ran. */
export async function longestStall(task: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: look_ms })
  delay.enable()
  // A turn is measured from one look to the next, so there has to be one before and one after.
  await wait(3 * look_ms)
  await task()
  await wait(3 * look_ms)
  delay.disable()
  return delay.max / 1e6
}
