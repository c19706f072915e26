import type * as english from '../user-access.ts'

export const userAccess: typeof english.userAccess = {
  sessions: 'Aktive Sitzungen',
  noSessions: 'Der Benutzer ist nirgends angemeldet.',
  endSession: 'Abmelden',
  sessionEnded: 'Sitzung beendet',
  impersonation: 'Identitätstoken',
  impersonationLead:
    'Mit einem solchen Token handeln Sie in der API als dieser Benutzer. Der Benutzer kann es nicht sehen; Audit-Ereignisse halten fest, was getan wird.',
  noTokens: 'Keine aktiven Identitätstoken',
  addToken: 'Identitätstoken hinzufügen',
  createToken: 'Token erstellen',
  tokenName: 'Name des Tokens',
  tokenExpires: 'Ablaufdatum',
  tokenExpiresHint: 'Leer lassen für ein Token, das nicht abläuft.',
  tokenScopes: 'Scopes',
  newTokenText: 'Kopieren Sie dieses Token jetzt. Es wird nicht noch einmal angezeigt.',
  tokenToCopy: 'Identitätstoken',
  tokenExpiresOn: (date: string) => `läuft am ${date} ab`,
  revokeToken: 'Token widerrufen',
  revokeTokenTitle: (name: string) => `Identitätstoken ${name} widerrufen?`,
  revokeTokenText:
    'Programme, die dieses Token verwenden, verlieren den Zugriff. Das kann nicht rückgängig gemacht werden.',
}
