import type * as english from '../write.ts'

export const commitActions: typeof english.commitActions = {
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

export const commitNotes: typeof english.commitNotes = {
  title: 'Kommentare',
  add: 'Kommentar hinzufügen',
  note: 'Kommentar',
  location: (path: string, line: number | null) => (line === null ? path : `${path}:${line}`),
}

export const refs: typeof english.refs = {
  newBranch: 'Neuer Branch',
  newTag: 'Neues Tag',
  branchName: 'Name des Branches',
  tagName: 'Name des Tags',
  from: 'Erstellen aus',
  message: 'Nachricht',
  messageHint: 'Optional. Ein Tag mit einer Nachricht ist ein annotiertes Tag.',
  createBranch: 'Branch erstellen',
  createTag: 'Tag erstellen',
  remove: 'Löschen',
  removeBranch: (name: string) => `Branch ${name} löschen?`,
  removeBranchConfirm: 'Branch löschen',
  removeTag: (name: string) => `Tag ${name} löschen?`,
  removeTagConfirm: 'Tag löschen',
  removeText: 'Commits, die auf keinem anderen Branch oder Tag liegen, können verloren gehen.',
  removeMerged: 'Gemergte Branches löschen',
  removeMergedTitle: 'Gemergte Branches löschen?',
  removeMergedText: (names: string) =>
    `Diese Branches sind in den Standard-Branch gemergt und nicht geschützt: ${names}. Das kann nicht rückgängig gemacht werden.`,
  removeMergedNone: 'Keine gemergten Branches zu löschen',
  removed: (name: string) => `Branch ${name} gelöscht`,
}
