import type * as english from '../ui.ts'

export const ui: typeof english.ui = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  copied: 'Kopiert',
  done: 'Fertig',
  copy: 'Kopieren',
  copyThing: (thing: string) => `${thing} kopieren`,
  unexpectedStatus: (status: number) =>
    `Der Server hat unerwartet geantwortet (Status ${status}). Versuchen Sie es später erneut.`,
  total: (total: string) => `insgesamt ${total}`,
  previousPage: 'Zurück',
  nextRow: 'Nächster Eintrag',
  otherAccount: (name: string) =>
    `Sie sind in diesem Browser jetzt als ${name} angemeldet. Es wurde nichts geändert: Prüfen Sie diese Seite und versuchen Sie es noch einmal.`,
  notFound: 'Nicht gefunden. Vielleicht wurde es gelöscht, oder Sie haben keinen Zugriff mehr.',
  offline:
    'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.',
  nextPage: 'Weiter',
  pageNumber: (number: number) => `Seite ${number}`,
  pages: 'Seitennavigation',
  previousRow: 'Vorheriger Eintrag',
  requestId: 'Anfrage-ID:',
  tryAgain: 'Erneut versuchen',
  typeConfirmationFirst: 'Geben Sie zuerst den Bestätigungstext ein',
  typeToConfirm: (words: string) => `Geben Sie zur Bestätigung ${words} ein`,
  unauthorized: 'Sie sind abgemeldet, oder Sie haben dafür keine Berechtigung.',
  undo: 'Rückgängig machen',
  signs: { more: '⋯', opens: '▾', react: '☺+', remove: '×' },
}
