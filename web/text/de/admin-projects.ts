import type * as english from '../admin-projects.ts'
import { formatBytes } from '../numbers.ts'

export const instanceProjects: typeof english.instanceProjects = {
  title: 'Projekte',
  filter: 'Projekte suchen',
  order: 'Sortieren nach',
  orders: [
    ['last_activity_at', 'Letzte Aktivität'],
    ['created_at', 'Erstellt'],
    ['name', 'Name'],
    ['storage_size', 'Größe'],
  ],
  list: 'Projekte',
  empty: 'Noch keine Projekte',
  noMatches: 'Keine passenden Projekte',
  size: (size: number) => formatBytes(size),
  onStorage: (name: string) => `auf ${name}`,
  menu: (name: string) => `Aktionen für Projekt ${name}`,
  menuSign: '…',
  settings: 'Einstellungen',
  members: 'Mitglieder',
  remove: 'Projekt löschen',
  removeTitle: (name: string) => `Projekt ${name} löschen?`,
  removeText:
    'Repository, Issues, Merge Requests und Pipelines des Projekts werden gelöscht. Das kann nicht rückgängig gemacht werden.',
  removed: (name: string) => `Projekt ${name} gelöscht`,
}
