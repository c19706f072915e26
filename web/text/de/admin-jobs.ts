import type * as english from '../admin-jobs.ts'

export const instanceJobs: typeof english.instanceJobs = {
  title: 'Jobs',
  lead: 'Die Jobs aller Projekte.',
  filter: 'Status',
  list: 'Jobs',
  empty: 'Noch keine Jobs',
  noMatches: 'Keine passenden Jobs',
}
