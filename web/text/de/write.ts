import type * as english from '../write.ts'

export const commitActionsText: typeof english.commitActionsText = {
  menu: 'Optionen',
  cherryPick: 'Cherry-Pick des Commits',
  cherryPickText: 'Wendet die Änderungen dieses Commits als neuen Commit auf einen Branch an.',
  revert: 'Commit rückgängig machen',
  revertText:
    'Macht die Änderungen dieses Commits auf einem Branch mit einem neuen Commit rückgängig.',
  targetBranch: 'Ziel-Branch',
  checkConflicts: 'Auf Konflikte prüfen',
  noConflicts: (branch: string) => `Keine Konflikte mit ${branch}. Es wurde noch nichts committet.`,
  commitTo: (branch: string) => `Auf ${branch} committen`,
  committedTo: (branch: string) => `Auf ${branch} committet`,
  cancel: 'Abbrechen',
}

export const commitNotesText: typeof english.commitNotesText = {
  title: 'Kommentare',
  add: 'Kommentar hinzufügen',
  note: 'Kommentar',
  location: (path: string, line: number | null) => (line === null ? path : `${path}:${line}`),
}
