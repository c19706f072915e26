import type * as english from '../admin.ts'
import { formatCountWithNoun } from '../numbers.ts'

export const adminUsers: typeof english.adminUsers = {
  title: 'Benutzer',
  filter: 'Benutzer suchen',
  add: 'Neuer Benutzer',
  states: [
    ['', 'Alle'],
    ['active', 'Aktiv'],
    ['pending', 'Freigabe ausstehend'],
    ['blocked', 'Gesperrt'],
    ['admins', 'Administratoren'],
  ],
  stateFilter: 'Status',
  noMatches: 'Keine passenden Benutzer',
  list: 'Benutzer',
  admin: 'Administrator',
  block: 'Benutzer sperren',
  unblock: 'Benutzer entsperren',
  deactivate: 'Benutzer deaktivieren',
  activate: 'Benutzer aktivieren',
  disableTwoFactor: 'Zwei-Faktor-Authentifizierung deaktivieren',
  disableTwoFactorTitle: (name: string) =>
    `Zwei-Faktor-Authentifizierung für ${name} deaktivieren?`,
  disableTwoFactorText:
    'Der Benutzer wird überall abgemeldet und meldet sich danach allein mit dem Passwort an.',
  impersonate: 'Identität annehmen',
  impersonateTitle: (name: string) => `Identität von ${name} annehmen?`,
  impersonateText: (name: string) =>
    `Sie können alles sehen und tun, was ${name} kann, bis Sie dies beenden oder sich abmelden. Audit-Ereignisse halten auch Ihren Namen fest.`,
  approve: 'Benutzer freigeben',
  reject: 'Benutzer ablehnen',
  rejectTitle: (name: string) => `Benutzer ${name} ablehnen?`,
  rejectText: 'Das Konto wird gelöscht, und die Person erhält eine E-Mail.',
  remove: 'Benutzer löschen',
  removeTitle: (name: string) => `Benutzer ${name} löschen?`,
  removeText:
    'Die persönlichen Projekte werden gelöscht. Issues, Kommentare und andere Beiträge werden dem Ghost-Benutzer zugeordnet. Das kann nicht rückgängig gemacht werden.',
  actionsFor: (name: string) => `Aktionen für ${name}`,
  menuSign: '…',
  stateNames: {
    active: 'aktiv',
    blocked: 'gesperrt',
    deactivated: 'deaktiviert',
    banned: 'gebannt',
    blocked_pending_approval: 'Freigabe ausstehend',
  },
  username: 'Benutzername',
  name: 'Name',
  email: 'E-Mail',
  password: 'Passwort',
  passwordHint:
    'Leer lassen, um einen Link zum Festlegen des Passworts zu senden, falls dieser Server E-Mails verschickt.',
  isAdmin: 'Administrator',
  lastActivity: 'Letzte Aktivität',
  today: 'heute',
  create: 'Benutzer erstellen',
  ban: 'Benutzer bannen',
  unban: 'Bann aufheben',
  viewProfile: 'Profil anzeigen',
  state: 'Status',
  twoFactor: 'Zwei-Faktor-Authentifizierung',
  enabled: 'aktiviert',
  disabled: 'deaktiviert',
  never: 'nie',
  created: 'Erstellt',
  lastSignIn: 'Letzte Anmeldung',
  identities: 'Anmelde-Identitäten',
  removeIdentity: 'Entfernen',
  removeIdentityTitle: (provider: string) => `Identität von ${provider} entfernen?`,
  removeIdentityText: (name: string, provider: string) =>
    `${name} kann sich nicht mehr über ${provider} anmelden.`,
  associations: 'Zugehörige Objekte',
  counts: (counts: {
    groups_count: number
    projects_count: number
    issues_count: number
    merge_requests_count: number
  }) =>
    [
      formatCountWithNoun(counts.groups_count, 'Gruppe', 'Gruppen'),
      formatCountWithNoun(counts.projects_count, 'Projekt', 'Projekte'),
      formatCountWithNoun(counts.issues_count, 'Issue', 'Issues'),
      formatCountWithNoun(counts.merge_requests_count, 'Merge Request', 'Merge Requests'),
    ].join(', '),
  memberships: 'Mitgliedschaften',
  account: 'Konto',
  save: 'Änderungen speichern',
  saved: 'Änderungen gespeichert',
  projectsLimit: 'Projektlimit',
  canCreateGroups: 'Darf Gruppen erstellen',
  isExternal: 'Externer Benutzer',
  isExternalHint:
    'Externe Benutzer sehen nur öffentliche Projekte und Projekte, in denen sie Mitglied sind.',
  note: 'Notiz der Administration',
  newPassword: 'Passwort zurücksetzen',
  newPasswordLead: 'Der Benutzer muss dieses Passwort bei der nächsten Anmeldung ändern.',
  newPasswordLabel: 'Neues Passwort',
  setPassword: 'Passwort festlegen',
}
