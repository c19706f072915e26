import type * as english from '../editing.ts'
import { formatCountWithNoun } from '../numbers.ts'

export const fileEditingText: typeof english.fileEditingText = {
  edit: (path: string) => `${path} bearbeiten`,
  newFile: 'Neue Datei',
  path: 'Dateiname',
  pathHint: 'Schrägstriche erzeugen Ordner. Ein anderer Name verschiebt die Datei.',
  contentsOf: (path: string) => (path === '' ? 'Inhalt der neuen Datei' : `Inhalt von ${path}`),
  keysHint: 'Tab rückt ein. Zum nächsten Feld gelangen Sie mit Escape, dann Tab.',
  files: 'Dateien in diesem Commit',
  add: 'Weitere Datei hinzufügen',
  upload: 'Dateien hochladen',
  remove: 'Datei löschen',
  restore: 'Datei behalten',
  removeFromCommit: 'Aus dem Commit entfernen',
  removed: 'Dieser Commit löscht die Datei.',
  binary:
    'Binärdateien können hier nicht bearbeitet werden. Sie können diese Datei verschieben oder löschen.',
  uploaded: (size: string) => `Hochgeladene Datei, ${size}.`,
  tooLarge: (name: string) => `${name} ist größer als 10 MB. Pushen Sie die Datei mit git.`,
  write: 'Bearbeiten',
  preview: 'Vorschau',
  changes: 'Änderungen',
  views: 'Dateiansicht',
  diffOf: (path: string) => `Änderungen in ${path}`,
  message: 'Commit-Nachricht',
  branch: 'Ziel-Branch',
  branchHint: (ref: string) =>
    `Für einen neuen Branch geben Sie einen anderen Namen als ${ref} ein.`,
  branchHintOwn: (ref: string) =>
    `Sie dürfen nicht auf ${ref} pushen, daher entsteht ein neuer Branch.`,
  branchHintEmpty: 'Das Repository ist leer. Dieser Commit erstellt seinen ersten Branch.',
  propose: (branch: string) => `Merge Request nach ${branch} erstellen`,
  commit: 'Änderungen committen',
  noFile: (path: string) => `${path} nicht gefunden`,
  noFileText: 'Nur vorhandene Dateien können bearbeitet werden. Prüfen Sie den Pfad.',
  viewCode: 'Code anzeigen',
  committed: (branch: string) => `Änderungen auf ${branch} committet`,
  cancel: 'Abbrechen',
  changeFirst: 'Ändern Sie zuerst eine Datei',
  nameFirst: 'Geben Sie für jede Datei einen Namen ein',
  draftRestored:
    'Das sind Ihre Änderungen von einem früheren Besuch. Sie wurden noch nicht committet.',
  discardDraft: 'Änderungen verwerfen',
  unnamed: 'Datei ohne Namen',
  marks: {
    added: 'neu',
    removed: 'gelöscht',
    moved: 'verschoben',
    changed: 'geändert',
    same: 'unverändert',
  },
  titles: {
    add: (path: string) => `${path} hinzufügen`,
    update: (path: string) => `${path} aktualisieren`,
    remove: (path: string) => `${path} löschen`,
    move: (path: string) => `Datei nach ${path} verschieben`,
    several: (number: number) => `${formatCountWithNoun(number, 'Datei', 'Dateien')} aktualisieren`,
  },
  conflict: {
    title: 'Jemand anderes hat diese Datei geändert',
    text: (path: string) =>
      `${path} wurde geändert, nachdem Sie mit dem Bearbeiten begonnen haben. Ihre Änderungen sind nicht verloren.`,
    deletedText: (path: string) =>
      `${path} wurde gelöscht, nachdem Sie mit dem Bearbeiten begonnen haben. Ihre Änderungen sind nicht verloren.`,
    differences: 'Unterschiede zwischen der anderen Version und Ihrer',
    useMine: 'Meine Version verwenden',
    useTheirs: 'Andere Version verwenden',
    theirs: 'Andere Version',
  },
}
