export const instanceApplications = {
  title: 'Applications',
  lead: 'Programs that sign users in by this server (OAuth 2 and OpenID Connect).',
  new: 'New application',
  list: 'Applications',
  empty: 'No applications yet',
  emptyText: 'Register a program that lets people sign in with their account here.',
}
