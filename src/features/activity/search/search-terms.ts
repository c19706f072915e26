// Parses the filters of a code search: `filename:`, `path:` and `extension:`, each also negated with a leading dash,
// with `*` as a wildcard.

/** The text to search for, and the filters that decide which paths are searched. */
export type SearchTerms = { text: string; admits: (path: string) => boolean }

const filterPattern = /^(-?)(filename|path|extension):(.+)$/i

export function parseSearchTerms(search: string): SearchTerms {
  const words = search.split(/\s+/).filter((word) => word !== '')
  const filters = words.flatMap((word) => {
    const [, dash, kind = '', wanted = ''] = filterPattern.exec(word) ?? []
    if (dash === undefined) return []
    const fits = fitterOf(kind.toLowerCase(), wanted.toLowerCase())
    return [(path: string) => fits(path) === (dash === '')]
  })
  const text = words.filter((word) => !filterPattern.test(word)).join(' ')
  return { text, admits: (path) => filters.every((admits) => admits(path.toLowerCase())) }
}

function fitterOf(kind: string, wanted: string): (path: string) => boolean {
  const name = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  switch (kind) {
    case 'filename':
      return (path) => holds(name(path), wanted)
    case 'extension':
      return (path) => name(path).endsWith(`.${wanted.replace(/^\./, '')}`)
    default:
      return (path) => holds(path, wanted)
  }
}

/** Returns whether the text contains the parts between the stars in order. Takes linear time. */
function holds(text: string, wanted: string): boolean {
  let at = 0
  for (const part of wanted.split('*')) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}
