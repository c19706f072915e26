import { counted } from './numbers.ts'

export const search = {
  title: 'Search',
  words: 'Words',
  scopes: {
    projects: 'Projects',
    groups: 'Groups',
    users: 'People',
    issues: 'Issues',
    merge_requests: 'Merge requests',
    blobs: 'Code',
    commits: 'Commits',
  },
  in: (name: string) => `in ${name}`,
  none: 'Nothing was found.',
  hint: 'Type what you look for. Code and commits are searched in one project.',
  found: (number: number) => counted(number, 'hit', 'hits'),
  results: 'Results',
  go: 'Search',
  signInFirst: 'Sign in to search.',
  at: (path: string, line: number) => `${path}:${line}`,
}
