import type * as english from '../refs.ts'

export const branchAndTagText: typeof english.branchAndTagText = {
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
