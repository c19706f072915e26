// Which paths are meant by a few letters: all of them, in their order; names before folders, short before long.

/** The `limit` best of `paths`. Linear in their length for each; letters count without case. */
export function rankPaths(paths: readonly string[], words: string, limit: number): string[] {
  const asked = words.toLowerCase().replace(/\s+/g, '')
  if (asked === '') return paths.slice(0, limit)
  const ranked: { path: string; rank: number }[] = []
  for (const path of paths) {
    const rank = rankOf(path, asked)
    if (rank !== undefined) ranked.push({ path, rank })
  }
  return ranked
    .sort((one, other) => one.rank - other.rank || one.path.length - other.path.length)
    .slice(0, limit)
    .map(({ path }) => path)
}

/** The lower the better; undefined where a letter is missing. */
function rankOf(path: string, asked: string): number | undefined {
  const text = path.toLowerCase()
  const name = text.lastIndexOf('/') + 1
  const whole = text.indexOf(asked, name)
  if (whole >= 0) return whole === name ? 0 : 1
  if (text.includes(asked)) return 2
  let [at, gaps] = [-1, 0]
  for (const letter of asked) {
    const next = text.indexOf(letter, at + 1)
    if (next < 0) return undefined
    if (at >= 0 && next > at + 1) gaps += 1
    at = next
  }
  return 3 + gaps
}
