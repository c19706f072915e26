import type * as english from '../conflicts.ts'
import { formatCount, formatCountWithNoun } from '../numbers.ts'

export const conflicts: typeof english.conflicts = {
  title: 'Konflikte auflösen',
  tab: (iid: number) => `Konflikte auflösen · !${iid}`,
  intoSource: (target: string, source: string) =>
    `${target} und ${source} ändern dieselben Zeilen. Dieser Commit mergt ${target} in ${source}.`,
  none: 'Keine Konflikte',
  noneText: 'Es gibt keine Konflikte aufzulösen.',
  mayNot: 'Bitten Sie jemanden, der auf den Quell-Branch pushen darf, die Konflikte aufzulösen.',
  back: 'Zurück zum Merge Request',
  notHere: 'Diese Konflikte lassen sich hier nicht auflösen',
  reasons: {
    not_changed_by_both:
      'Die Datei wurde auf einer Seite hinzugefügt, gelöscht oder umbenannt oder ist keine gewöhnliche Datei.',
    binary: 'Die Datei ist binär oder kein UTF-8.',
    too_large: 'Die Datei ist zu groß.',
    too_many: 'Zu viele Dateien haben Konflikte.',
    has_markers: 'Die Datei enthält Zeilen, die wie Konfliktmarkierungen aussehen.',
  },
  fileOf: (path: string) => `Konflikte in ${path}`,
  count: (number: number) => formatCountWithNoun(number, 'Konflikt', 'Konflikte'),
  resolved: (number: number, all: number) =>
    `${formatCount(number)} von ${formatCountWithNoun(all, 'Konflikt', 'Konflikten')} aufgelöst`,
  conflict: (number: number, path: string) => `Konflikt ${number} in ${path}`,
  useOurs: 'Unsere übernehmen',
  useTheirs: 'Deren übernehmen',
  ours: (branch: string) => `Unsere: ${branch}`,
  theirs: (branch: string) => `Deren: ${branch}`,
  deleted: 'Diese Zeilen wurden gelöscht.',
  moreLines: (number: number) =>
    `${formatCountWithNoun(number, 'unveränderte Zeile', 'unveränderte Zeilen')} nicht angezeigt`,
  named: (action: string, what: string) => `${action}: ${what}`,
  editFile: 'Datei bearbeiten',
  chooseSections: 'Abschnitte wählen',
  contentsOf: (path: string) => `Inhalt von ${path}`,
  markersLeft: (path: string) => `${path} enthält noch Konfliktmarkierungen.`,
  message: 'Commit-Nachricht',
  commit: (branch: string) => `Auf ${branch} committen`,
  resolveFirst: 'Lösen Sie zuerst alle Konflikte auf.',
  moved:
    'Die Branches haben sich inzwischen geändert. Ihre Auswahl bleibt erhalten, wo die Konflikte dieselben sind.',
  done: 'Konflikte aufgelöst',
}
