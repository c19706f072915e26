import type * as english from '../admin-tasks.ts'
import { formatCountWithNoun } from '../numbers.ts'

export const adminTasksText: typeof english.adminTasksText = {
  title: 'Hintergrundaufgaben',
  lead: 'Arbeiten, die der Server nach der Antwort erledigt. Eine fehlgeschlagene Aufgabe wurde einen halben Tag lang versucht und wartet auf Sie.',
  stateFilter: 'Status',
  states: [
    ['failed', 'Fehlgeschlagen'],
    ['running', 'Läuft'],
    ['waiting', 'Wartet'],
    ['delayed', 'Verzögert'],
  ],
  lane: 'Art der Arbeit',
  allLanes: 'Alle Arten',
  lanes: {
    upkeep: 'Repository-Wartung',
    removal: 'Löschung',
    expiry: 'Ablauf',
    mail: 'E-Mails',
    events: 'Nach einem Push',
    delivery: 'Pipelines',
    hooks: 'Webhooks',
    mirrors: 'Mirrors',
    domains: 'Pages-Domains',
    moves: 'Speicherumzüge',
    reports: 'Berichte von Jobs',
    exports: 'Exporte',
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
  retried: (name: string) => `Aufgabe ${name} wird erneut ausgeführt`,
  retriedAll: (number: number) =>
    `${formatCountWithNoun(number, 'Aufgabe wird', 'Aufgaben werden')} erneut ausgeführt`,
  remove: 'Löschen',
  removeTitle: (name: string) => `Aufgabe ${name} löschen?`,
  removeText:
    'Die Arbeit wird nicht erledigt. Dateien eines gelöschten Projekts bleiben auf dem Datenträger, wenn die Aufgabe gelöscht wird, die sie entfernt.',
  removeAction: 'Aufgabe löschen',
  removed: (name: string) => `Aufgabe ${name} gelöscht`,
  attempts: (number: number) => formatCountWithNoun(number, 'Versuch', 'Versuche'),
  about: (name: string, key: string) => `${name} ${key}`,
}
