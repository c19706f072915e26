import type * as english from '../admin-tasks.ts'
import { formatCountWithNoun } from '../numbers.ts'

export const adminTasksText: typeof english.adminTasksText = {
  title: 'Hintergrundaufgaben',
  lead: 'Arbeiten, die der Server im Hintergrund erledigt. Fehlgeschlagene Aufgaben werden einen halben Tag lang wiederholt. Danach können Sie sie hier wiederholen oder löschen.',
  stateFilter: 'Status',
  states: [
    ['failed', 'Fehlgeschlagen'],
    ['running', 'Läuft'],
    ['waiting', 'Wartet'],
    ['delayed', 'Verzögert'],
  ],
  lane: 'Aufgabentyp',
  allLanes: 'Alle Aufgabentypen',
  lanes: {
    upkeep: 'Repository-Wartung',
    removal: 'Löschung',
    expiry: 'Abgelaufene Daten',
    mail: 'E-Mails',
    events: 'Nach einem Push',
    delivery: 'Pipelines',
    hooks: 'Webhooks',
    mirrors: 'Mirrors',
    domains: 'Pages-Domains',
    moves: 'Speicherumzüge',
    reports: 'Berichte von Jobs',
    exports: 'Exporte',
    notifications: 'Benachrichtigungen',
    backups: 'Sicherungen',
  },
  list: 'Hintergrundaufgaben',
  empty: {
    failed: 'Keine fehlgeschlagenen Aufgaben',
    running: 'Keine laufenden Aufgaben',
    waiting: 'Keine wartenden Aufgaben',
    delayed: 'Keine verzögerten Aufgaben',
  },
  retry: 'Wiederholen',
  runNow: 'Jetzt ausführen',
  retryAll: 'Aufgaben auf dieser Seite wiederholen',
  retried: (name: string) => `Aufgabe ${name} wird in Kürze ausgeführt`,
  retriedAll: (number: number) =>
    `${formatCountWithNoun(number, 'Aufgabe wird', 'Aufgaben werden')} in Kürze ausgeführt`,
  remove: 'Löschen',
  removeTitle: (name: string) => `Aufgabe ${name} löschen?`,
  removeText:
    'Die Arbeit wird nicht erledigt. Dateien eines gelöschten Projekts bleiben auf dem Datenträger, wenn die Aufgabe gelöscht wird, die sie entfernt.',
  removeAction: 'Aufgabe löschen',
  removed: (name: string) => `Aufgabe ${name} gelöscht`,
  attempts: (number: number) => formatCountWithNoun(number, 'Versuch', 'Versuche'),
  about: (name: string, key: string) => `${name} ${key}`,
}
