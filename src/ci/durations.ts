// Durations as configurations write them: `3 mins 4 sec`, `2h20min`, `6 mos and 1 day`.

const day_s = 24 * 60 * 60
const seconds_of: ReadonlyMap<string, number> = new Map(
  Object.entries({
    's sec secs second seconds': 1,
    'm min mins minute minutes': 60,
    'h hr hrs hour hours': 60 * 60,
    'd dy day days': day_s,
    'w wk wks week weeks': 7 * day_s,
    'mo mos month months': 30 * day_s,
    'y yr yrs year years': 365.25 * day_s,
  }).flatMap(([names, seconds]) => names.split(' ').map((name) => [name, seconds] as const)),
)
const fillers = new Set(['and', 'with', 'plus'])
const numbers: ReadonlyMap<string, number> = new Map([
  ['one', 1],
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['six', 6],
  ['seven', 7],
  ['eight', 8],
  ['nine', 9],
  ['ten', 10],
  ['eleven', 11],
  ['twelve', 12],
])
const characters_max = 255

/**
 * Parses a duration into seconds. A plain number counts seconds, numbers with units are added up, and `HH:MM:SS` is
 * hours, minutes and seconds. Returns null for `never`, and undefined for a text that is not a duration.
 */
export function parseDuration_s(text: string): number | null | undefined {
  const lower = text.trim().toLowerCase()
  if (lower === 'never') return null
  if (lower.length > characters_max) return undefined
  if (lower.includes(':')) return parseClock_s(lower)
  const words = lower.match(/[0-9]+(?:\.[0-9]+)?|[a-z]+|[^ ,\s]/g) ?? []
  let total_s = 0
  let pending: number | undefined
  let isEmpty = true
  for (const word of words) {
    const number = numbers.get(word) ?? (/^[0-9]/.test(word) ? Number(word) : undefined)
    const unit_s = seconds_of.get(word)
    if (number !== undefined && pending === undefined) pending = number
    else if (unit_s !== undefined && pending !== undefined) {
      total_s += pending * unit_s
      pending = undefined
      isEmpty = false
    } else if (!fillers.has(word)) return undefined
  }
  if (pending !== undefined) return isEmpty ? Math.round(pending) : undefined
  return isEmpty ? undefined : Math.round(total_s)
}

/** Parses `2:20` as minutes and seconds, and `1:2:20` as hours, minutes and seconds. */
function parseClock_s(text: string): number | undefined {
  if (!/^[0-9]+(?::[0-9]{1,2}){1,2}$/.test(text)) return undefined
  return text.split(':').reduce((total, part) => total * 60 + Number(part), 0)
}
