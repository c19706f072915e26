// Matches patterns of artifacts and caches: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any number of folders. Without
// regular expressions, since patterns are untrusted and must not block the runner.

/** A path that a pattern stands for, split into parts. */
export type GlobPattern = readonly string[]

const alternatives_max = 200

/** Reads a pattern, relative to the folder it is about. Undefined where it leads out of that. */
export function parseGlobPatterns(text: string): GlobPattern[] | undefined {
  const patterns = splitBraces(text).map((one) => {
    const parts: string[] = []
    for (const part of one.split('/')) {
      if (part === '' || part === '.') continue
      if (part === '**' && parts.at(-1) === '**') continue
      parts.push(part)
    }
    return parts
  })
  const leadsOut = text.startsWith('/') || patterns.some((parts) => parts.includes('..'))
  return leadsOut ? undefined : patterns
}

/** The parts before the first with a wildcard. */
export function literalPrefixOfGlob(pattern: GlobPattern): string[] {
  const first = pattern.findIndex((part) => /[*?[\\]/.test(part))
  return pattern.slice(0, first < 0 ? pattern.length : first)
}

/** Returns how deep a matching path can be. */
export function maximumDepthOfGlob(pattern: GlobPattern): number {
  return pattern.includes('**') ? Number.POSITIVE_INFINITY : pattern.length
}

/** Whether the pattern means this path. */
export function globMatchesPath(pattern: GlobPattern, path: readonly string[]): boolean {
  // `reached[i]` is whether the first `i` parts of the pattern match the path so far.
  let reached = withSkipped(pattern, [true])
  for (const name of path) {
    const next: boolean[] = []
    pattern.forEach((part, i) => {
      if (!reached[i]) return
      if (part === '**') next[i] = true
      else if (globPartMatchesName(part, name)) next[i + 1] = true
    })
    reached = withSkipped(pattern, next)
  }
  return reached[pattern.length] === true
}

/** Marks the positions after `**`, which may also match no folder. */
function withSkipped(pattern: GlobPattern, reached: boolean[]): boolean[] {
  pattern.forEach((part, i) => {
    if (part === '**' && reached[i]) reached[i + 1] = true
  })
  return reached
}

type Sign = { any: true } | { one: (character: string) => boolean }

/** Whether a part of a pattern means this name. Goes back only to the last `*`, so it takes a x b steps. */
export function globPartMatchesName(part: string, name: string): boolean {
  const signs = readSigns(part)
  const characters = [...name]
  let [sign, character] = [0, 0]
  let [lastStar, afterStar] = [-1, 0]
  while (character < characters.length) {
    const current = signs[sign]
    if (current && 'one' in current && current.one(characters[character] ?? '')) {
      sign++
      character++
    } else if (current && 'any' in current) {
      lastStar = sign++
      afterStar = character
    } else if (lastStar >= 0) {
      sign = lastStar + 1
      character = ++afterStar
    } else return false
  }
  return signs.slice(sign).every((rest) => 'any' in rest)
}

function readSigns(part: string): Sign[] {
  const characters = [...part]
  const signs: Sign[] = []
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    if (character === '*') signs.push({ any: true })
    else if (character === '?') signs.push({ one: () => true })
    else if (character === '[') {
      const end = characters.indexOf(']', i + 2)
      if (end < 0) signs.push({ one: (other) => other === '[' })
      else {
        signs.push({ one: readSet(characters.slice(i + 1, end)) })
        i = end
      }
    } else {
      const literal = character === '\\' ? (characters[++i] ?? '\\') : character
      signs.push({ one: (other) => other === literal })
    }
  }
  return signs
}

/** Returns a test for the characters and ranges between brackets; after `!` or `^` for all others. */
function readSet(inside: readonly string[]): (character: string) => boolean {
  const isOther = inside[0] === '!' || inside[0] === '^'
  const set = isOther ? inside.slice(1) : inside
  const ranges: [string, string][] = []
  for (let i = 0; i < set.length; i++) {
    const from = set[i] ?? ''
    const to = set[i + 1] === '-' ? set[i + 2] : undefined
    ranges.push([from, to ?? from])
    if (to !== undefined) i += 2
  }
  return (character) =>
    ranges.some(([from, to]) => character >= from && character <= to) !== isOther
}

/** Expands `{a,b}` to a pattern for each alternative; braces that are not closed are literal. */
function splitBraces(text: string): string[] {
  const done: string[] = []
  const open = [text]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const group = findBraces(one)
    if (!group || open.length + done.length > alternatives_max) done.push(one)
    else {
      const [begin, end] = [one.slice(0, group.from), one.slice(group.to)]
      for (const alternative of group.alternatives) open.push(begin + alternative + end)
    }
  }
  return done
}

/** Returns the first pair of braces and its alternatives. */
function findBraces(
  text: string,
): { from: number; to: number; alternatives: string[] } | undefined {
  const from = text.indexOf('{')
  if (from < 0) return undefined
  const alternatives = ['']
  let depth = 0
  for (let i = from; i < text.length; i++) {
    const character = text[i] ?? ''
    if (character === '{' && depth++ === 0) continue
    if (character === '}' && --depth === 0) return { from, to: i + 1, alternatives }
    if (character === ',' && depth === 1) alternatives.push('')
    else alternatives[alternatives.length - 1] += character
  }
  return undefined
}
