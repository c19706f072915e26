import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * The most bytes that this process held beyond what it held before, while the task ran. Up to
 * `allowed_bytes` what could be freed may be among them: to free it takes longer than to do the task.
 */
export async function peakHeld_bytes(
  allowed_bytes: number,
  task: () => Promise<void>,
): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const used = () => {
    const { external, heapUsed } = process.memoryUsage()
    return external + heapUsed
  }
  // What could be freed is not held, so it is freed before it is counted. Buffers that one collection finds are given
  // back beside the program; the next collection waits for that.
  const held = () => {
    collectGarbage()
    collectGarbage()
    return used()
  }
  const before_bytes = held()
  let peak_bytes: number | undefined
  const sampler = setInterval(() => {
    let beyond_bytes = used() - before_bytes
    if (beyond_bytes >= allowed_bytes) beyond_bytes = held() - before_bytes
    peak_bytes = Math.max(peak_bytes ?? 0, beyond_bytes)
  }, 100)
  try {
    await task()
  } finally {
    clearInterval(sampler)
  }
  if (peak_bytes === undefined) throw new Error('The task was over before anything was measured.')
  return peak_bytes
}
