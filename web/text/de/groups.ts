import type * as english from '../groups.ts'
import { formatCountWithNoun } from '../numbers.ts'

export const groups: typeof english.groups = {
  all: 'Alle Gruppen',
  emptyGroup: 'Noch keine Untergruppen oder Projekte',
  emptyList: 'Noch keine Gruppen',
  emptyListText: 'Gruppen fassen verwandte Projekte zusammen und regeln, wer Zugriff auf sie hat.',
  filter: 'Gruppen filtern',
  filterInside: 'Untergruppen und Projekte filtern',
  groups: 'Gruppen',
  membersCount: (number: number) => formatCountWithNoun(number, 'Mitglied', 'Mitglieder'),
  newSubgroup: 'Neue Untergruppe',
  noMatches: 'Keine passenden Gruppen',
  noMatchesInside: 'Keine passenden Untergruppen oder Projekte',
  subgroups: 'Untergruppen',
  yours: 'Ihre Gruppen',
  group: 'Gruppe',
  issues: 'Issues',
  mergeRequests: 'Merge Requests',
  members: 'Mitglieder',
  label: 'Gruppe',
  breadcrumb: 'Navigationspfad',
  projects: 'Projekte',
  settings: 'Einstellungen',
  runners: 'Runner',
  clusters: 'Cluster',
}
