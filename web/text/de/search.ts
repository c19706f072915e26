import type * as english from '../search.ts'

export const search: typeof english.search = {
  title: 'Suche',
  term: 'Suchbegriff',
  scopes: {
    projects: 'Projekte',
    groups: 'Gruppen',
    users: 'Benutzer',
    issues: 'Issues',
    merge_requests: 'Merge Requests',
    blobs: 'Code',
    commits: 'Commits',
  },
  inProject: (name: string) => `in ${name}`,
  noMatches: 'Keine passenden Ergebnisse',
  enterTerm:
    'Geben Sie einen Suchbegriff ein. Um Code und Commits zu durchsuchen, gehen Sie von einem Projekt aus.',
  results: 'Suchergebnisse',
  signInFirst: 'Melden Sie sich an, um zu suchen.',
  location: (path: string, line: number) => `${path}:${line}`,
}
