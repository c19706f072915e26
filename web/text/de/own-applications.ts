import type * as english from '../own-applications.ts'
import { tokens } from './own-settings.ts'

export const applications: typeof english.applications = {
  yours: 'Ihre Anwendungen',
  yoursLead:
    'Programme von Ihnen, die Benutzer über diesen Server anmelden oder in deren Namen seine API verwenden (OAuth 2).',
  noneOfYours: 'Noch keine Anwendungen',
  new: 'Neue Anwendung',
  lead: 'Anwendungen, denen Sie erlaubt haben, Ihr Konto zu verwenden. Jede darf nur, was ihre Scopes erlauben.',
  list: 'Autorisierte Anwendungen',
  empty: 'Keine autorisierten Anwendungen',
  emptyText: 'Anwendungen erscheinen hier, nachdem Sie ihnen Zugriff auf Ihr Konto erlaubt haben.',
  scopeNames: {
    ...tokens.scopeNames,
    openid: 'Sie über OpenID Connect anmelden',
    profile: 'Ihr Profil über OpenID Connect lesen',
    email: 'Ihre primäre E-Mail-Adresse über OpenID Connect lesen',
  },
  lastAuthorized: 'Zuletzt autorisiert',
  revoke: 'Widerrufen',
  revokeConfirm: 'Autorisierung widerrufen',
  revokeTitle: (name: string) => `Autorisierung von ${name} widerrufen?`,
  revokeText:
    'Ihre Token werden sofort ungültig. Wenn Sie sich wieder bei ihr anmelden, werden Sie erneut gefragt.',
  revoked: (name: string) => `${name} kann Ihr Konto nicht mehr verwenden`,
}
