import type * as english from '../artifacts.ts'

export const artifacts: typeof english.artifacts = {
  title: 'Artefakte',
  of: (name: string) => `Artefakte von ${name}`,
  empty: 'Noch keine Artefakte',
  emptyText:
    'Ergänzen Sie einen Job in .gitlab-ci.yml um das Schlüsselwort artifacts, um die Dateien aufzubewahren, die er erzeugt.',
  emptyFolder: 'Dieser Ordner ist leer.',
  parentSign: '..',
  parentFolder: 'Übergeordneter Ordner',
  cannotDisplay: 'Diese Datei kann nicht angezeigt werden. Öffnen Sie stattdessen die Rohdatei.',
  list: 'Artefaktdateien',
  remove: 'Löschen',
  removeConfirm: 'Artefakte löschen',
  removeTitle: (name: string) => `Artefakte von ${name} löschen?`,
  removeAll: 'Alle Artefakte löschen',
  removeAllTitle: 'Alle Artefakte dieses Projekts löschen?',
  browse: 'Ordner durchsuchen',
  raw: 'Rohdatei anzeigen',
  log: 'Job-Log anzeigen',
  download: 'Artefakte herunterladen',
  keep: 'Behalten',
  kept: 'Diese Artefakte laufen nicht mehr ab',
  removeText: 'Das kann nicht rückgängig gemacht werden.',
}
