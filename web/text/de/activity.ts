import type * as english from '../activity.ts'
import { formatCount, formatCountWithNoun } from '../numbers.ts'
import { language } from './language.ts'

const contributions = (number: number) => formatCountWithNoun(number, 'Beitrag', 'Beiträge')

const verbs: Readonly<Record<string, string>> = {
  opened: 'geöffnet',
  closed: 'geschlossen',
  accepted: 'gemergt',
  approved: 'genehmigt',
  created: 'erstellt',
  updated: 'aktualisiert',
  destroyed: 'gelöscht',
  'commented on': 'kommentiert',
}

const things: Readonly<Record<string, string>> = {
  Issue: 'Issue',
  MergeRequest: 'Merge Request',
  Milestone: 'Meilenstein',
  Project: 'Projekt',
  'WikiPage::Meta': 'Wiki-Seite',
  Commit: 'Commit',
}

const refOf = (type: string) => (type === 'tag' ? 'Tag' : 'Branch')

const months = new Intl.DateTimeFormat(language, { month: 'short' })

export const activity: typeof english.activity = {
  month: (date: Date) => months.format(date),
  title: 'Beiträge',
  inYear: (number: number) => `${contributions(number)} im letzten Jahr`,
  since: (number: number, date: string) => `${contributions(number)} seit ${date}`,
  counting: 'Beiträge werden gezählt …',
  graph: 'Beiträge nach Tagen',
  graphHint: 'Mit den Pfeiltasten wechseln Sie zwischen den Tagen. Die Tage sind in UTC angegeben.',
  onDay: (number: number, date: string) =>
    number === 0 ? `Keine Beiträge am ${date}` : `${contributions(number)} am ${date}`,
  weekdays: ['Mo', '', 'Mi', '', 'Fr', '', ''],
  less: 'Weniger',
  more: 'Mehr',
  asTable: 'Als Tabelle anzeigen',
  day: 'Tag',
  number: 'Beiträge',
  count: formatCount,
  recent: 'Letzte Aktivitäten',
  ofDay: (date: string) => `Aktivitäten am ${date}`,
  all: 'Alle Aktivitäten anzeigen',
  empty: 'Keine für Sie sichtbaren Aktivitäten',
  emptyDay: 'Keine Aktivitäten an diesem Tag',
  did: (action: string, type: string) => `${things[type] ?? type} ${verbs[action] ?? action}:`,
  within: 'in',
  joined: 'Projekt beigetreten:',
  left: 'Projekt verlassen:',
  expired: 'Mitgliedschaft im Projekt abgelaufen:',
  pushed: (commits: number, type: string) =>
    `${formatCountWithNoun(commits, 'Commit', 'Commits')} gepusht auf ${refOf(type)}`,
  pushedNew: (type: string) => `${refOf(type)} erstellt:`,
  deleted: (type: string) => `${refOf(type)} gelöscht:`,
  pushedMany: (number: number, type: string) =>
    type === 'tag'
      ? `${formatCountWithNoun(number, 'Tag', 'Tags')} gepusht:`
      : `${formatCountWithNoun(number, 'Branch', 'Branches')} gepusht:`,
}
