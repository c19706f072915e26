import type * as english from '../instance-applications.ts'

export const instanceApplications: typeof english.instanceApplications = {
  title: 'Anwendungen',
  lead: 'Programme, die Benutzer über diesen Server anmelden (OAuth 2 und OpenID Connect).',
  new: 'Neue Anwendung',
  list: 'Anwendungen',
  empty: 'Noch keine Anwendungen',
  emptyText:
    'Registrieren Sie ein Programm, bei dem sich Benutzer mit ihrem hiesigen Konto anmelden können.',
}
