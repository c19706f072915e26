export const instanceJobs = {
  title: 'Jobs',
  lead: 'The jobs of all projects.',
  filter: 'Status',
  list: 'Jobs',
  empty: 'No jobs yet',
  noMatches: 'No matching jobs',
}
