export const instanceApplications = {
  title: 'Applications',
  lead: 'Applications that users can sign in to with their account on this server (OAuth 2 and OpenID Connect).',
  new: 'New application',
  list: 'Applications',
  empty: 'No applications yet',
  emptyText:
    'Register an application to let users sign in to it with their account on this server.',
}
