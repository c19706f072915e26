// What hostile texts are made of, and whether work on them grows faster than they do. Times mean nothing
// on a busy machine, so what the process itself worked is compared at two lengths, where it was much.

import { setTimeout } from 'node:timers/promises'

/** Runs are made of these. Two accents of different kinds are what Unicode has to sort. */
export const units = [
  ...['a', ' ', '\n', '\t', '=', '-', '.', '/', ',', '@', '*', "'", '"', '\\', '[', '<', ':'],
  ...['\u0301\u0316', 'a-', 'a ', '.git', '[a'],
]

/** `unit` again and again between something else: what looks for a beginning or an end finds none. */
export function run(unit: string, characters: number): string {
  return `b${unit.repeat(Math.ceil(characters / unit.length))}b`
}

/** Below this nothing is compared. */
const floor_ms = 150
/** Four times the length: linear work is four times as much, quadratic work sixteen times. */
const step = 4
const growth_max = 8
/** What the process does now and then, such as collecting garbage, is not in the least of so many. */
const tries = 3
/** A collection of a large heap may outlast all tries of one length. Work that grows shows it every time. */
const rounds = 5
const between_rounds_ms = 250

/** How the work grew, in words; undefined where it is small or grew no faster than the length. */
export async function growthOf(
  length: number,
  work: (length: number) => unknown,
): Promise<string | undefined> {
  const first = await workOf(length, work)
  if (first < floor_ms) return undefined
  let found: string | undefined
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await setTimeout(between_rounds_ms)
    // Noise in this measurement makes the growth larger, which leads to another round; it hides no growth.
    const much = round === 0 ? first : await leastWork(length, work)
    if (much < floor_ms) return undefined
    const little = await leastWork(Math.floor(length / step), work)
    const growth = much / Math.max(little, 1)
    if (growth <= growth_max) return undefined
    found = `${growth.toFixed(1)} times the work, ${much} ms`
  }
  return found
}

async function leastWork(length: number, work: (length: number) => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let count = 0; count < tries; count++) {
    least = Math.min(least, await workOf(length, work))
  }
  return least
}

/** Milliseconds of the processor that all threads of this process took. */
async function workOf(length: number, work: (length: number) => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work(length)
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / 1000)
}
