export const search = {
  title: 'Search',
  words: 'Search term',
  scopes: {
    projects: 'Projects',
    groups: 'Groups',
    users: 'Users',
    issues: 'Issues',
    merge_requests: 'Merge requests',
    blobs: 'Code',
    commits: 'Commits',
  },
  in: (name: string) => `in ${name}`,
  none: 'No matching results',
  hint: 'Enter a search term. To search code and commits, start from a project.',
  results: 'Search results',
  signInFirst: 'Sign in to search.',
  at: (path: string, line: number) => `${path}:${line}`,
}
