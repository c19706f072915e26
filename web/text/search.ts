export const search = {
  title: 'Search',
  term: 'Search term',
  scopes: {
    projects: 'Projects',
    groups: 'Groups',
    users: 'Users',
    issues: 'Issues',
    merge_requests: 'Merge requests',
    blobs: 'Code',
    commits: 'Commits',
  },
  inProject: (name: string) => `in ${name}`,
  noMatches: 'No matching results',
  enterTerm: 'Enter a search term. To search code and commits, start from a project.',
  results: 'Search results',
  signInFirst: 'Sign in to search.',
  location: (path: string, line: number) => `${path}:${line}`,
}
