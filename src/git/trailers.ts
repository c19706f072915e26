// The trailers of a commit message, by the rules of git-interpret-trailers(1).

const trailer = /^([A-Za-z0-9-]+)[ \t]*:(.*)$/s
const generated = /^(Signed-off-by: |\(cherry picked from commit )/

/**
 * Returns the key and value of each trailer in order, with continuation lines joined. Trailers are the last paragraph of
 * a message, unless that is its title, if all of its lines are trailers, or if one line is a trailer of git's own and a
 * quarter are trailers.
 */
export function parseTrailers(message: string): [string, string][] {
  const lines = message.split('\n').filter((line) => !line.startsWith('#'))
  const titleEnd = lines.findIndex((line) => line.trim() === '')
  if (titleEnd < 0) return []
  let end = lines.length
  while (end > titleEnd && lines[end - 1]?.trim() === '') end--
  let start = end
  while (start > titleEnd && lines[start - 1]?.trim() !== '') start--
  const block = unfold(lines.slice(start, end))
  const trailers = block.flatMap(({ text }): [string, string][] => {
    const match = trailer.exec(text)
    return match?.[1] ? [[match[1], (match[2] ?? '').trim()]] : []
  })
  const others = block.filter(({ text }) => !trailer.test(text) && !generated.test(text))
  const other_count = others.reduce((sum, { line_count }) => sum + line_count, 0)
  if (other_count === 0) return trailers
  const hasGenerated = block.some(({ text }) => generated.test(text))
  return hasGenerated && (block.length - others.length) * 3 >= other_count ? trailers : []
}

/** Joins lines that begin with white space to the line before. */
function unfold(lines: readonly string[]): { text: string; line_count: number }[] {
  const block: { text: string; line_count: number }[] = []
  for (const line of lines) {
    const last = block.at(-1)
    if (last && /^\s/.test(line)) {
      last.text += ` ${line.trim()}`
      last.line_count++
    } else block.push({ text: line, line_count: 1 })
  }
  return block
}
