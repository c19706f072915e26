import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The most bytes that this process held beyond what it held before, while the task ran. */
export async function peakHeld_bytes(task: () => Promise<void>): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  // What could be freed is not held, so it is freed before it is counted.
  const held = () => {
    collectGarbage()
    const { external, heapUsed } = process.memoryUsage()
    return external + heapUsed
  }
  const before_bytes = held()
  let peak_bytes: number | undefined
  const sampler = setInterval(() => {
    peak_bytes = Math.max(peak_bytes ?? 0, held() - before_bytes)
  }, 250)
  try {
    await task()
  } finally {
    clearInterval(sampler)
  }
  if (peak_bytes === undefined) throw new Error('The task was over before anything was measured.')
  return peak_bytes
}
