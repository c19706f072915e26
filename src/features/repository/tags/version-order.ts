// Names of tags as versions: `v1.10` after `v1.9`, and `v1.9-rc1` before `v1.9`.

type Part = number | string

/** Runs of digits as numbers and runs of letters as texts; everything between only separates. */
export function parseVersionParts(name: string): Part[] {
  const runs = name.match(/\d+|\p{L}+/gu) ?? []
  return runs.map((run) => (/^\d/.test(run) ? Number(run) : run))
}

/** Negative where `a` is the lower. Where one ends, a number makes the other newer, a text older. */
export function compareVersions(a: readonly Part[], b: readonly Part[]): number {
  const common = Math.min(a.length, b.length)
  for (let at = 0; at < common; at++) {
    const order = compareParts(a[at] ?? 0, b[at] ?? 0)
    if (order !== 0) return order
  }
  if (a.length === b.length) return 0
  const longer = a.length > b.length ? a : b
  const isNewer = typeof longer[common] === 'number'
  return (longer === a) === isNewer ? 1 : -1
}

function compareParts(a: Part, b: Part): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}
