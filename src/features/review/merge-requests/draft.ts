// Whether a merge request is a draft, which only its title decides (docs/api/merge-requests.md, "Drafts").

const prefixes = ['[draft]', '(draft)', 'draft:']

/** Whether a title begins with `Draft:`, `[Draft]` or `(Draft)`, regardless of case. */
export function isDraftTitle(title: string): boolean {
  const start = title.trimStart().toLowerCase()
  return prefixes.some((prefix) => start.startsWith(prefix))
}

/** Returns the title without its draft prefix. */
export function removeDraftPrefix(title: string): string {
  let text = title.trim()
  for (;;) {
    const start = text.toLowerCase()
    const prefix = prefixes.find((one) => start.startsWith(one))
    if (prefix === undefined) return text
    text = text.slice(prefix.length).trimStart()
  }
}

export function addDraftPrefix(title: string): string {
  return isDraftTitle(title) ? title : `Draft: ${title}`
}
