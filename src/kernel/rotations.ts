// Sorts the rotations of a block of bytes, which is what makes bzip2 compress: Larsson and Sadakane,
// "Faster suffix sorting", with the machine's own sort for each group.

/** Positions and ranks share a double, which has 53 bits: 20 for each suffice for the largest block. */
const position_bits = 2 ** 20
const small_group = 12

/**
 * The starts of the rotations of `block` in their order; equal rotations in any. At most 2 ** 20 bytes.
 * Takes a time near to n log n whatever the bytes are.
 */
export function sortRotations(block: Uint8Array): Int32Array {
  const { length } = block
  const order = new Int32Array(length)
  const ranks = new Int32Array(length)
  const keys = new Float64Array(length)
  let groups = sortPairs(block, order, ranks)
  for (let known = 2; groups.length > 0 && known < length; known *= 2) {
    const next: number[] = []
    for (let at = 0; at < groups.length; at += 2) {
      const group = { start: groups[at] ?? 0, end: groups[at + 1] ?? 0 }
      sortGroup(group, { order, ranks, keys, known, next })
    }
    groups = next
  }
  return order
}

/** Sorts by the first two bytes; answers start and end of each group that is not settled by them. */
function sortPairs(block: Uint8Array, order: Int32Array, ranks: Int32Array): number[] {
  const { length } = block
  const starts = new Int32Array(65_537)
  const pairAt = (at: number) => ((block[at] ?? 0) << 8) | (block[(at + 1) % length] ?? 0)
  for (let at = 0; at < length; at++) {
    const pair = pairAt(at)
    starts[pair + 1] = (starts[pair + 1] ?? 0) + 1
  }
  for (let pair = 0; pair < 65_536; pair++) {
    starts[pair + 1] = (starts[pair + 1] ?? 0) + (starts[pair] ?? 0)
  }
  const nexts = starts.slice()
  for (let at = 0; at < length; at++) {
    const pair = pairAt(at)
    const place = nexts[pair] ?? 0
    nexts[pair] = place + 1
    order[place] = at
    ranks[at] = starts[pair] ?? 0
  }
  const groups: number[] = []
  for (let pair = 0; pair < 65_536; pair++) {
    const start = starts[pair] ?? 0
    const end = starts[pair + 1] ?? 0
    if (end - start > 1) groups.push(start, end)
  }
  return groups
}

type Sorting = {
  order: Int32Array
  /** Of every rotation the start of its group. */
  ranks: Int32Array
  keys: Float64Array
  /** By how many bytes the groups are sorted already. */
  known: number
  /** Gets the groups that are still not settled. */
  next: number[]
}

/** Rotations that begin alike differ as those do that begin where they are known to. */
function sortGroup({ start, end }: { start: number; end: number }, sorting: Sorting): void {
  const { order, ranks, keys, known, next } = sorting
  const { length } = order
  const size = end - start
  for (let at = 0; at < size; at++) {
    const position = order[start + at] ?? 0
    let after = position + known
    if (after >= length) after -= length
    keys[at] = (ranks[after] ?? 0) * position_bits + position
  }
  if (size > small_group) keys.subarray(0, size).sort()
  else insertionSort(keys, size)
  let groupStart = start
  let groupRank = -1
  for (let at = 0; at < size; at++) {
    const key = keys[at] ?? 0
    const rank = Math.floor(key / position_bits)
    if (rank !== groupRank) {
      if (start + at - groupStart > 1) next.push(groupStart, start + at)
      groupStart = start + at
      groupRank = rank
    }
    const position = key - rank * position_bits
    order[start + at] = position
    ranks[position] = groupStart
  }
  if (end - groupStart > 1) next.push(groupStart, end)
}

function insertionSort(keys: Float64Array, size: number): void {
  for (let at = 1; at < size; at++) {
    const key = keys[at] ?? 0
    let place = at
    for (; place > 0 && (keys[place - 1] ?? 0) > key; place--) keys[place] = keys[place - 1] ?? 0
    keys[place] = key
  }
}
