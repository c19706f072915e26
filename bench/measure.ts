import { performance } from 'node:perf_hooks'

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** How long a task takes. */
export async function time_ms(task: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await task()
  return performance.now() - began
}

/** The same work done by the floor and by us. */
export type Pair = { floor: () => Promise<unknown>; ours: () => Promise<unknown> }

/** Times both of each pair in turn, so that a busy machine burdens both alike; answers the medians. */
export async function timePairs(
  pairs: Iterable<Pair>,
): Promise<{ floor_ms: number; ours_ms: number }> {
  const floors: number[] = []
  const ours: number[] = []
  for (const pair of pairs) {
    floors.push(await time_ms(pair.floor))
    ours.push(await time_ms(pair.ours))
  }
  return { floor_ms: median(floors), ours_ms: median(ours) }
}

/**
 * Times what costs little, many times over and both in turn, once both are warm; answers the medians, and what nine
 * of ten of ours took at the most.
 */
export async function timeOften(
  { floor, ours }: Pair,
  samples: number,
): Promise<{ floor_ms: number; ours_ms: number; p90_ms: number }> {
  for (let warming = 0; warming < 20; warming++) await Promise.all([ours(), floor()])
  const floors: number[] = []
  const own: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    floors.push(await time_ms(floor))
    own.push(await time_ms(ours))
  }
  own.sort((a, b) => a - b)
  const p90_ms = own[Math.floor(own.length * 0.9)] ?? 0
  return { floor_ms: median(floors), ours_ms: median(own), p90_ms }
}
