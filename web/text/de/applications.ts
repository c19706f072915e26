import type * as english from '../applications.ts'

export const applicationText: typeof english.applicationText = {
  title: 'Anwendungen',
  lead: 'Programme, die Benutzer über diesen Server anmelden (OAuth 2 und OpenID Connect).',
  new: 'Neue Anwendung',
  list: 'Anwendungen',
  empty: 'Noch keine Anwendungen',
  emptyText:
    'Registrieren Sie ein Programm, bei dem sich Benutzer mit ihrem hiesigen Konto anmelden können.',
  name: 'Name',
  redirect: 'Weiterleitungs-URIs',
  redirectHint: 'Eine pro Zeile, außerhalb Ihres eigenen Rechners mit https://.',
  scopes: 'Scopes',
  scopeNames: {
    openid: 'Benutzer über OpenID Connect anmelden',
    profile: 'Profil über OpenID Connect lesen',
    email: 'Primäre E-Mail-Adresse über OpenID Connect lesen',
    read_user: 'Lesezugriff auf das Benutzerprofil',
    read_api: 'Lesezugriff auf die API',
    read_repository: 'Aus Repositorys pullen',
    write_repository: 'Aus Repositorys pullen und in sie pushen',
    api: 'Lese- und Schreibzugriff auf die API',
  },
  confidential: 'Vertraulich',
  confidentialHint:
    'Das Programm bewahrt sein Secret auf einem Server auf. Für Apps auf Mobilgeräten und Desktops abwählen.',
  trusted: 'Vertrauenswürdig',
  trustedHint: 'Benutzer werden nicht um Erlaubnis gefragt.',
  create: 'Anwendung registrieren',
  public: 'öffentlicher Client',
  id: 'Anwendungs-ID',
  idLabel: 'Anwendungs-ID',
  secret: 'Secret',
  secretLabel: 'Secret',
  secretText: 'Kopieren Sie das Secret jetzt. Es wird nicht noch einmal angezeigt.',
  renew: 'Secret erneuern',
  renewTitle: (name: string) => `Secret von ${name} erneuern?`,
  renewText:
    'Das bisherige Secret wird sofort ungültig. Niemand kann sich anmelden, bis das Programm das neue hat.',
  remove: 'Anwendung löschen',
  removeTitle: (name: string) => `Anwendung ${name} löschen?`,
  removeText:
    'Ihre Token werden widerrufen, und niemand kann sich mehr über sie anmelden. Das kann nicht rückgängig gemacht werden.',
  removed: (name: string) => `Anwendung ${name} gelöscht`,
  menu: (name: string) => `Aktionen für Anwendung ${name}`,
  menuSign: '…',
}
