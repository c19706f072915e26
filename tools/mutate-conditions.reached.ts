// Runs in each test file of the first run of tools/mutate-conditions.ts: writes which conditions the file reached.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'

/** The conditions that one test file reached, by their index. */
export type ReachedConditions = { test: string; duration_ms: number; reached: number[] }

const began = performance.now()
const reached = new Set<number>()
const markReached = <Value>(index: number, value: Value): Value => {
  reached.add(index)
  return value
}
Object.assign(globalThis, { markReached })

afterAll(() => {
  const duration_ms = performance.now() - began
  const result: ReachedConditions = {
    test: expect.getState().testPath ?? '',
    duration_ms,
    reached: [...reached],
  }
  writeFileSync(
    join(process.env.MUTATE_REACHED ?? '', `${randomUUID()}.json`),
    JSON.stringify(result),
  )
})
