// Names of tags as versions: `v1.10` after `v1.9`, and `v1.9-rc1` before `v1.9`.

type Part = number | string

/** Splits a version into numbers (runs of digits) and texts (runs of letters). All other characters separate. */
export function parseVersionParts(name: string): Part[] {
  const runs = name.match(/\d+|\p{L}+/gu) ?? []
  return runs.map((run) => (/^\d/.test(run) ? Number(run) : run))
}

/**
 * Compares two versions; negative if `a` is the lower. If one is longer, a following number makes it newer, a following text
 * older.
 */
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
