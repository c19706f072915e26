/** Returns both titles with their differences marked: `{-old-}` in the first, `{+new+}` in the second. */
export function markTitleDifferences(
  before: string,
  after: string,
): { before: string; after: string } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (
    end < shorter - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++
  }
  const mark = (text: string, sign: string) => {
    const changed = text.slice(start, text.length - end)
    const marked = changed === '' ? '' : `{${sign}${changed}${sign}}`
    return `${text.slice(0, start)}${marked}${text.slice(text.length - end)}`
  }
  return { before: mark(before, '-'), after: mark(after, '+') }
}
