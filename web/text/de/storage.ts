import { formatBytes, formatCountWithNoun } from '../numbers.ts'
import type * as english from '../storage.ts'

export const storageText: typeof english.storageText = {
  title: 'Speicher',
  disks: 'Datenträger',
  disksLead:
    'Datenträger, auf denen der Server Daten speichert. Weitere Speicher fügen Sie mit der Umgebungsvariablen BLOOMERY_STORAGES hinzu.',
  dataFolder: 'Datenverzeichnis',
  storage: (name: string) => `Speicher ${name}`,
  used: (percent: number, size: number) => `${percent} % von ${formatBytes(size)} belegt`,
  usedOf: (name: string) => `Belegter Platz auf ${name}`,
  nearlyFull: 'fast voll',
  move: 'Repositorys umziehen',
  oneStorage: 'Repositorys können umziehen, sobald es einen zweiten Speicher gibt.',
  moves: 'Speicherumzüge',
  movesLead:
    'Während seines Umzugs kann ein Repository nicht geschrieben, aber weiter gelesen werden.',
  kinds: [
    ['project', 'Projekte'],
    ['group', 'Gruppen-Wikis'],
  ],
  kind: 'Typ',
  list: 'Speicherumzüge',
  empty: 'Noch keine Speicherumzüge',
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  states: {
    initial: 'geplant',
    scheduled: 'geplant',
    started: 'wird kopiert',
    replicated: 'umgezogen, Quelle wird entfernt',
    finished: 'abgeschlossen',
    failed: 'fehlgeschlagen',
    'cleanup failed': 'umgezogen, Quelle nicht entfernt',
  },
  progress: (name: string) => `Fortschritt der Verschiebung von ${name}`,
  unchanged: 'Das Repository wurde nicht verschoben.',
  again: 'Wiederholen',
  underWay: (number: number) => formatCountWithNoun(number, 'laufender Umzug', 'laufende Umzüge'),
  what: 'Was umziehen soll',
  whats: [
    ['storage', 'Alles auf einem Speicher'],
    ['group', 'Eine Gruppe mit ihren Projekten'],
    ['project', 'Ein Projekt'],
  ],
  source: 'Von Speicher',
  project: 'Projekt',
  group: 'Gruppe',
  groupHint: 'Ihr Wiki und alle Projekte in ihr und ihren Untergruppen.',
  destination: 'Auf Speicher',
  anyStorage: 'Automatisch, nach Gewichtung der Speicher',
  start: 'Umzug starten',
  scheduled: (number: number) => formatCountWithNoun(number, 'Umzug geplant', 'Umzüge geplant'),
  scheduledAll: 'Die Umzüge werden geplant',
  skipped: (number: number) =>
    `${formatCountWithNoun(number, 'Repository wurde', 'Repositorys wurden')} ausgelassen: Ein Umzug läuft bereits.`,
}
