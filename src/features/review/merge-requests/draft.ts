// Whether a merge request is a draft, which only its title decides (docs/api/merge-requests.md, "Drafts").

const prefixes = ['[draft]', '(draft)', 'draft:']

/** Begins with `Draft:`, `[Draft]` or `(Draft)`, whatever the case. */
export function isDraftTitle(title: string): boolean {
  const start = title.trimStart().toLowerCase()
  return prefixes.some((prefix) => start.startsWith(prefix))
}

/** The title without what says that it is a draft. */
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
