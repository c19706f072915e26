import type * as english from '../admin-groups.ts'
import { formatBytes } from '../numbers.ts'

export const instanceGroups: typeof english.instanceGroups = {
  title: 'Gruppen',
  filter: 'Gruppen suchen',
  new: 'Neue Gruppe',
  list: 'Gruppen',
  empty: 'Noch keine Gruppen',
  noMatches: 'Keine passenden Gruppen',
  size: (size: number) => formatBytes(size),
  menu: (name: string) => `Aktionen für Gruppe ${name}`,
  menuSign: '…',
  settings: 'Einstellungen',
  members: 'Mitglieder',
  remove: 'Gruppe löschen',
  removeTitle: (name: string) => `Gruppe ${name} löschen?`,
  removeText:
    'Alle Untergruppen und Projekte der Gruppe werden ebenfalls gelöscht. Das kann nicht rückgängig gemacht werden.',
  removed: (name: string) => `Gruppe ${name} wird gelöscht`,
}
