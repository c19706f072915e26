import { setImmediate } from 'node:timers/promises'

/** How many items are processed before other work gets a turn, at a few microseconds each. */
const turn_items = 5000

/** Yields slices of a long list, and lets other work run between them. */
export async function* slicesWithYields<T>(
  items: readonly T[],
  items_max = turn_items,
): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += items_max) {
    yield items.slice(at, at + items_max)
    await setImmediate()
  }
}

/** Sorts a long list as `toSorted` does, and lets other work run in between. */
export async function sortWithYields<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = []
  for await (const some of slicesWithYields(items)) runs.push(some.toSorted(compare))
  while (runs.length > 1) {
    const longer: (readonly T[])[] = []
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare))
    }
    runs = longer
  }
  return runs[0] ?? []
}

async function merge<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  const merged: T[] = []
  let [ofA, ofB] = [0, 0]
  while (ofA < a.length && ofB < b.length) {
    const [first, second] = [a[ofA] as T, b[ofB] as T]
    const isFirst = compare(first, second) <= 0
    merged.push(isFirst ? first : second)
    if (isFirst) ofA++
    else ofB++
    if (merged.length % turn_items === 0) await setImmediate()
  }
  return merged.concat(a.slice(ofA), b.slice(ofB))
}
