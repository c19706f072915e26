export const instanceJobs = {
  title: 'Jobs',
  lead: 'Jobs from all projects on this server.',
  filter: 'Status',
  list: 'Jobs',
  empty: 'No jobs yet',
  noMatches: 'No matching jobs',
}
