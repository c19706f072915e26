import { formatCountWithNoun, formatDay } from '../numbers.ts'
import type * as english from '../own-settings.ts'

export const sshKeys: typeof english.sshKeys = {
  lead: 'Mit SSH-Schlüsseln können Sie ohne Passwort pullen und pushen.',
  add: 'Schlüssel hinzufügen',
  added: (title: string) => `SSH-Schlüssel ${title} hinzugefügt`,
  addTitle: 'SSH-Schlüssel hinzufügen',
  key: 'Öffentlicher Schlüssel',
  keyHint:
    'Fügen Sie den Inhalt einer Datei wie ~/.ssh/id_ed25519.pub ein. Fügen Sie nie Ihren privaten Schlüssel ein.',
  keyTitle: 'Titel',
  keyTitleHint: 'Zum Beispiel der Name des Rechners, auf dem der Schlüssel liegt.',
  expires: 'Ablaufdatum',
  expiresHint: 'Leer lassen für einen Schlüssel, der nicht abläuft.',
  usage: 'Verwendung',
  usages: [
    ['auth_and_signing', 'Authentifizierung und Signieren'],
    ['auth', 'Authentifizierung'],
    ['signing', 'Signieren'],
  ],
  empty: 'Noch keine SSH-Schlüssel',
  emptyText:
    'Erzeugen Sie einen Schlüssel mit ssh-keygen -t ed25519, und fügen Sie den öffentlichen Schlüssel unten ein.',
  list: 'Ihre SSH-Schlüssel',
  remove: 'Löschen',
  removeConfirm: 'Schlüssel löschen',
  removeTitle: (title: string) => `SSH-Schlüssel ${title} löschen?`,
  removeText:
    'Sie können mit diesem Schlüssel nicht mehr pullen und pushen. Das kann nicht rückgängig gemacht werden.',
  addedAt: 'Hinzugefügt',
  expiresOn: (date: Date) => `Läuft am ${formatDay(date)} ab`,
}

export const gpgKeys: typeof english.gpgKeys = {
  lead: 'Mit GPG-Schlüsseln prüft Bloomery die Commits und Tags, die Sie signieren.',
  add: 'Schlüssel hinzufügen',
  addTitle: 'GPG-Schlüssel hinzufügen',
  key: 'Öffentlicher Schlüssel',
  keyHint: 'Fügen Sie die Ausgabe von gpg --armor --export ein.',
  empty: 'Noch keine GPG-Schlüssel',
  list: 'Ihre GPG-Schlüssel',
  remove: 'Entfernen',
  removeConfirm: 'Schlüssel entfernen',
  removeTitle: (id: number) => `GPG-Schlüssel ${id} entfernen?`,
  removeText:
    'Mit diesem Schlüssel signierte Commits bleiben verifiziert. Ist der Schlüssel kompromittiert, widerrufen Sie ihn stattdessen.',
  revoke: 'Widerrufen',
  revokeConfirm: 'Schlüssel widerrufen',
  revokeTitle: (id: number) => `GPG-Schlüssel ${id} widerrufen?`,
  revokeText:
    'Alle mit diesem Schlüssel signierten Commits gelten als nicht verifiziert, auch frühere. Das kann nicht rückgängig gemacht werden.',
  keyNumber: (id: number) => `Schlüssel ${id}`,
}

export const tokens: typeof english.tokens = {
  lead: 'Mit einem persönlichen Zugriffstoken authentifizieren Sie sich gegenüber der API oder, anstelle Ihres Passworts, bei Git über HTTP.',
  add: 'Token erstellen',
  addTitle: 'Persönliches Zugriffstoken erstellen',
  name: 'Name des Tokens',
  nameHint: 'Zum Beispiel die Anwendung, die das Token verwendet.',
  expires: 'Ablaufdatum',
  expiresHint: 'Vorgeschlagen sind 30 Tage ab heute. Leer lassen für ein Token, das nicht abläuft.',
  scopes: 'Scopes',
  scopeNames: {
    read_user: 'Lesezugriff auf Ihr Benutzerprofil',
    read_api: 'Lesezugriff auf die API',
    read_repository: 'Aus Repositorys pullen',
    write_repository: 'Aus Repositorys pullen und in sie pushen',
    api: 'Lese- und Schreibzugriff auf die API',
    sudo: 'Als beliebiger Benutzer handeln (nur Administratoren)',
  },
  scopeRequired: 'Wählen Sie mindestens einen Scope aus.',
  newToken: 'Ihr neues Token',
  newTokenText: 'Kopieren Sie dieses Token jetzt. Es wird nicht noch einmal angezeigt.',
  tokenToCopy: 'Token',
  empty: 'Keine aktiven Token',
  list: 'Aktive persönliche Zugriffstoken',
  revoke: 'Widerrufen',
  revokeConfirm: 'Token widerrufen',
  revokeTitle: (name: string) => `Token ${name} widerrufen?`,
  revokeText:
    'Anwendungen, die dieses Token verwenden, verlieren sofort den Zugriff. Das kann nicht rückgängig gemacht werden.',
  lastUsed: 'Zuletzt verwendet',
  neverUsed: 'Nie verwendet',
  expiresOn: (date: Date) => `Läuft am ${formatDay(date)} ab`,
}

export const emails: typeof english.emails = {
  lead: 'Commits mit diesen Adressen werden Ihnen zugeordnet. Wohin Ihre E-Mails gehen, wählen Sie unter Benachrichtigungen.',
  add: 'E-Mail-Adresse hinzufügen',
  address: 'E-Mail',
  primary: 'primär',
  unverified: 'nicht bestätigt',
  list: 'Ihre E-Mail-Adressen',
  remove: 'Entfernen',
  removeConfirm: 'E-Mail-Adresse entfernen',
  removeTitle: (email: string) => `${email} entfernen?`,
  removeText: 'Commits mit dieser Adresse werden Ihnen nicht mehr zugeordnet.',
  sent: 'E-Mail-Adresse hinzugefügt. Falls dieser Server E-Mails verschickt, erhalten Sie eine Nachricht mit einem Bestätigungslink.',
}

export const password: typeof english.password = {
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens 8 Zeichen.',
  change: 'Passwort ändern',
  changed: 'Passwort geändert. Alle Ihre anderen Sitzungen wurden abgemeldet.',
  expired: 'Ihr Passwort ist abgelaufen. Legen Sie ein neues Passwort fest, um fortzufahren.',
}

export const twoFactor: typeof english.twoFactor = {
  lead: 'Mit Zwei-Faktor-Authentifizierung brauchen Sie zum Anmelden Ihr Passwort und einen Code von Ihrem Telefon.',
  enabled: 'aktiviert',
  disabled: 'deaktiviert',
  statusLabel: 'Zwei-Faktor-Authentifizierung:',
  setUp: 'Zwei-Faktor-Authentifizierung einrichten',
  password: 'Aktuelles Passwort',
  instructions:
    'Scannen Sie den Code mit Ihrer Authenticator-App, oder geben Sie dort das Secret ein. Geben Sie dann den Code ein, den die App anzeigt.',
  qrCode: 'QR-Code für Ihre Authenticator-App',
  secret: 'Secret',
  uri: 'Einrichtungs-URI',
  code: 'Bestätigungscode',
  enable: 'Zwei-Faktor-Authentifizierung aktivieren',
  disable: 'Zwei-Faktor-Authentifizierung deaktivieren',
  disableText: 'Zum Anmelden brauchen Sie dann nur noch Ihr Passwort.',
  recovery: 'Wiederherstellungscodes',
  recoveryText:
    'Falls Sie Ihr Telefon verlieren, können Sie sich mit jedem Code einmal anmelden. Bewahren Sie die Codes an einem sicheren Ort auf. Sie werden nicht noch einmal angezeigt.',
  codesToCopy: 'Wiederherstellungscodes',
  regenerate: 'Wiederherstellungscodes neu erzeugen',
  regenerateText: 'Ihre bisherigen Wiederherstellungscodes werden ungültig.',
}

export const sessions: typeof english.sessions = {
  lead: 'Browser, in denen Sie mit Ihrem Konto angemeldet sind.',
  list: 'Ihre aktiven Sitzungen',
  current: 'dieser Browser',
  impersonated: 'Identität von der Administration angenommen',
  revoke: 'Sitzung beenden',
  revoked: 'Sitzung beendet',
  ipAddress: (ip: string) => `IP-Adresse: ${ip}`,
  unknown: 'Unbekannter Browser',
}

export const profile: typeof english.profile = {
  about: 'Öffentliches Profil',
  save: 'Änderungen speichern',
  name: 'Vollständiger Name',
  username: 'Benutzername',
  usernameHint:
    'Damit ändern sich auch die Adressen Ihrer Projekte. Alte Adressen werden weitergeleitet.',
  publicEmail: 'Öffentliche E-Mail-Adresse',
  publicEmailHint:
    'Eine Ihrer bestätigten Adressen. Leer lassen, um Ihre E-Mail-Adresse zu verbergen.',
  fields: {
    bio: 'Über mich',
    location: 'Ort',
    pronouns: 'Pronomen',
    job_title: 'Berufsbezeichnung',
    organization: 'Organisation',
    website_url: 'Website-URL',
  },
  isPrivate: 'Privates Profil',
  isPrivateHint: 'Andere Benutzer sehen nur Ihren Namen und Avatar.',
  lead: 'Andere Benutzer sehen diese Angaben auf Ihrer Profilseite.',
  avatar: 'Avatar',
  chooseImage: 'Bild auswählen',
  chooseImageHint: 'PNG, JPEG, GIF oder WebP, bis 200 KB.',
  upload: 'Avatar hochladen',
  removeAvatar: 'Avatar entfernen',
  status: 'Status',
  statusMessage: 'Wie ist Ihr Status?',
  busy: 'Beschäftigt',
  clearAfter: 'Status löschen nach',
  clearAfterOptions: [
    ['', 'Nie'],
    ['30_minutes', '30 Minuten'],
    ['3_hours', '3 Stunden'],
    ['8_hours', '8 Stunden'],
    ['1_day', '1 Tag'],
    ['7_days', '7 Tagen'],
    ['30_days', '30 Tagen'],
  ],
  setStatus: 'Status festlegen',
  viewProfile: 'Profil anzeigen',
}

export const preferences: typeof english.preferences = {
  lead: 'Diese Einstellungen werden in Ihrem Konto gespeichert und gelten auf allen Ihren Geräten.',
  language: 'Sprache',
  languages: [
    ['system', 'Wie im Browser'],
    ['en', 'English'],
    ['de', 'Deutsch'],
  ],
  theme: 'Farbschema',
  themes: [
    ['system', 'Wie im System'],
    ['light', 'Hell'],
    ['dark', 'Dunkel'],
  ],
  density: 'Listendichte',
  densities: [
    ['roomy', 'Großzügig'],
    ['compact', 'Kompakt'],
  ],
  tabWidth: 'Tabulatorbreite',
  tabWidths: (number: number) => formatCountWithNoun(number, 'Leerzeichen', 'Leerzeichen'),
  singleKeys: 'Tastenkürzel aus einer einzelnen Taste aktivieren',
  singleKeysHint: 'Zum Beispiel t, um eine Datei zu finden. Strg K funktioniert immer.',
  whitespace: 'Leerraumänderungen in Diffs anzeigen',
  fileByFile: 'In Diffs jeweils nur eine Datei anzeigen',
  save: 'Änderungen speichern',
}
