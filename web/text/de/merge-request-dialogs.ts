import type * as english from '../merge-request-dialogs.ts'

export const requestDialogs: typeof english.requestDialogs = {
  checkOutText: 'Mit diesen Befehlen probieren Sie die Änderungen auf Ihrem Rechner aus.',
  checkOutCommands: 'Befehle zum Auschecken des Branches',
  mergeMessage: 'Nachricht des Merge-Commits',
  squashMessage: 'Nachricht des Squash-Commits',
  messageHint: 'Leer lassen, um die Standardnachricht des Projekts zu verwenden.',
  conflictsText:
    'Quell- und Ziel-Branch ändern dieselben Zeilen. Mergen Sie den Ziel-Branch auf Ihrem Rechner, lösen Sie die Konflikte auf, und pushen Sie.',
  conflictCommands: 'Befehle zum Auflösen der Konflikte',
}
