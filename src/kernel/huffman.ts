// Prefix codes as bzip2 has them: canonical, no code longer than a bound.

/** Lengths of the codes of symbols that occur so often; every symbol gets one. */
export function codeLengths(frequencies: ArrayLike<number>, bits_max: number): Uint8Array {
  // Where a code would be too long, rare symbols are made a little less rare until it is not.
  for (let weights = Array.from(frequencies, (count) => count || 1); ; ) {
    const lengths = lengthsOf(weights)
    if (lengths.every((length) => length <= bits_max)) return lengths
    weights = weights.map((weight) => (weight >>> 1) + 1)
  }
}

/** By two queues: leaves by weight, and inner nodes, which are made in the order of theirs. */
function lengthsOf(weights: readonly number[]): Uint8Array {
  const count = weights.length
  const leaves = Array.from(weights.keys()).sort((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0))
  const sums: number[] = []
  const parents = new Int32Array(2 * count)
  let leaf = 0
  let inner = 0
  const take = (): { node: number; weight: number } => {
    const leafNode = leaves[leaf]
    const leafWeight = leafNode === undefined ? Infinity : (weights[leafNode] ?? 0)
    const innerWeight = inner < sums.length ? (sums[inner] ?? 0) : Infinity
    if (leafWeight <= innerWeight) {
      leaf++
      return { node: leafNode ?? 0, weight: leafWeight }
    }
    return { node: count + inner++, weight: innerWeight }
  }
  for (let made = 0; made < count - 1; made++) {
    const a = take()
    const b = take()
    parents[a.node] = count + made
    parents[b.node] = count + made
    sums.push(a.weight + b.weight)
  }
  const depths = new Int32Array(2 * count)
  // The root is the last that was made; whatever has a parent is one below it.
  for (let node = count + sums.length - 2; node >= 0; node--) {
    depths[node] = (depths[parents[node] ?? 0] ?? 0) + 1
  }
  return Uint8Array.from(depths.subarray(0, count))
}

/** The codes of these lengths: shorter ones first, among equals in the order of the symbols. */
export function codesOf(lengths: Uint8Array): Int32Array {
  const codes = new Int32Array(lengths.length)
  const longest = Math.max(...lengths)
  let code = 0
  for (let length = 1; length <= longest; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] === length) codes[symbol] = code++
    }
    code <<= 1
  }
  return codes
}
