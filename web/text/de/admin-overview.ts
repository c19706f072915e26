import type * as english from '../admin-overview.ts'
import { formatBytes, formatCount, formatCountWithNoun, formatDuration } from '../numbers.ts'

export const adminOverviewText: typeof english.adminOverviewText = {
  title: 'Übersicht',
  allWell: 'Keine Probleme gefunden',
  problems: (number: number) =>
    formatCountWithNoun(number, 'Problem gefunden', 'Probleme gefunden'),
  health: 'Zustand',
  healthList: 'Zustand des Servers',
  ok: 'OK',
  attention: 'Handlungsbedarf',
  tasks: 'Hintergrundaufgaben',
  tasksFailed: (number: number) =>
    formatCountWithNoun(number, 'Aufgabe fehlgeschlagen', 'Aufgaben fehlgeschlagen'),
  tasksWaiting: (number: number, seconds: number) =>
    `${formatCountWithNoun(number, 'Aufgabe', 'Aufgaben')} fällig, die älteste seit ${formatDuration(seconds)}`,
  noTasksWaiting: 'Keine überfälligen Aufgaben',
  emails: 'E-Mails',
  emailsFailed: (number: number) =>
    formatCountWithNoun(number, 'E-Mail fehlgeschlagen', 'E-Mails fehlgeschlagen'),
  emailsFrom: (address: string) => `Absender: ${address}`,
  noEmails: 'Kein E-Mail-Server konfiguriert',
  disk: (name: string | null) => (name === null ? 'Datenverzeichnis' : `Speicher ${name}`),
  diskFree: (free: number, size: number) => `${formatBytes(free)} von ${formatBytes(size)} frei`,
  diskFull: (free: number) =>
    `Fast voll: ${formatBytes(free)} frei. Pushes und Uploads werden abgelehnt.`,
  runners: 'Runner',
  runnersOnline: (number: number) => formatCountWithNoun(number, 'Runner online', 'Runner online'),
  noRunners: 'Kein Runner ist online. Jobs warten.',
  nodes: 'Knoten',
  nodesRunning: (number: number) => formatCountWithNoun(number, 'Knoten läuft', 'Knoten laufen'),
  nodesLost: (number: number) =>
    formatCountWithNoun(number, 'Knoten nicht erreichbar', 'Knoten nicht erreichbar'),
  nodesMixed: 'verschiedene Versionen',
  workers: (number: number) => formatCountWithNoun(number, 'Worker-Prozess', 'Worker-Prozesse'),
  pending: 'Benutzer mit ausstehender Freigabe',
  pendingUsers: (number: number) =>
    formatCountWithNoun(number, 'Benutzer wartet', 'Benutzer warten'),
  backup: 'Letzte Sicherung',
  noBackup: 'Noch keine Sicherung erstellt',
  version: 'Version',
  versionIs: (version: string, database: string) =>
    `Bloomery ${version} mit ${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
  statistics: 'Statistik',
  counts: [
    ['projects', 'Projekte', '/admin/projects'],
    ['groups', 'Gruppen', '/admin/groups'],
    ['users', 'Benutzer', '/admin/users'],
    ['active_users', 'Aktive Benutzer', '/admin/users?state=active'],
    ['issues', 'Issues', '/dashboard/issues?scope=all'],
    ['merge_requests', 'Merge Requests', '/dashboard/merge_requests?scope=all'],
  ],
  count: (digits: string) => formatCount(Number(digits)),
  steps: 'Erste Schritte',
  stepsLead:
    'Schließen Sie die Einrichtung dieses Servers ab. Erledigte Schritte verschwinden von selbst.',
  address: 'Öffentliche Adresse festlegen',
  addressText:
    'Mit ihr beginnen Klon-URLs und Links in E-Mails. Legen Sie sie in der Umgebung des Servers fest oder als url in bloomery.json im Datenverzeichnis, und starten Sie den Server neu.',
  addressLine: (origin: string) => `BLOOMERY_URL=${origin}`,
  mail: 'E-Mail-Server anbinden',
  mailText:
    'Der Server verschickt dann Einladungen und Links zum Zurücksetzen von Passwörtern. Legen Sie smtp_url auf dieselbe Weise fest wie die Adresse, die dafür ebenfalls nötig ist.',
  mailLine: 'BLOOMERY_SMTP_URL=smtp://user:password@mail.example:587',
  runner: 'Runner hinzufügen',
  runnerText: 'Pipelines laufen auf Runnern. Noch ist kein Runner online.',
  addRunner: 'Runner hinzufügen',
  firstBackup: 'Sicherungen einrichten',
  firstBackupText:
    'Setzen Sie einen Ordner auf einer anderen Festplatte oder einen S3-Bucket auf demselben Weg wie die öffentliche URL. Nach einem Neustart erstellt der Server jede Nacht eine Sicherung.',
  firstBackupLine: 'BLOOMERY_BACKUP_TO=/var/backups/bloomery',
  secondFactor: 'Konto schützen',
  secondFactorText:
    'Ihr Konto hat vollen Zugriff auf diesen Server. Schützen Sie es mit Zwei-Faktor-Authentifizierung.',
  addSecondFactor: 'Zwei-Faktor-Authentifizierung einrichten',
  line: (step: string) => `Befehl zum Schritt „${step}“`,
}
