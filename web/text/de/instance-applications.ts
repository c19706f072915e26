import type * as english from '../instance-applications.ts'

export const instanceApplications: typeof english.instanceApplications = {
  title: 'Anwendungen',
  lead: 'Anwendungen, bei denen sich Benutzer mit ihrem Konto auf diesem Server anmelden können (OAuth 2 und OpenID Connect).',
  new: 'Neue Anwendung',
  list: 'Anwendungen',
  empty: 'Noch keine Anwendungen',
  emptyText:
    'Registrieren Sie eine Anwendung, bei der sich Benutzer mit ihrem Konto auf diesem Server anmelden können.',
}
