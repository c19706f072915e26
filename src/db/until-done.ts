import { setImmediate } from 'node:timers/promises'

/**
 * Runs a statement that changes at most so many rows until it finds no more of them. SQLite answers at once, so
 * others have their turn between. Each run stands by itself: what a crash leaves, the next one finds.
 */
export async function untilDone(
  rows_max: number,
  statement: (rows_max: number) => Promise<bigint>,
): Promise<void> {
  while ((await statement(rows_max)) >= rows_max) await setImmediate()
}
