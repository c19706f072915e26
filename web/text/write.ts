/** Words of what is done with code in the browser. */
export const commitActions = {
  menu: 'Options',
  cherryPick: 'Cherry-pick commit',
  cherryPickText: 'Applies the changes from this commit to a branch as a new commit.',
  revert: 'Revert commit',
  revertText: 'Undoes the changes of this commit on a branch, with a new commit.',
  targetBranch: 'Target branch',
  checkConflicts: 'Check for conflicts',
  noConflicts: (branch: string) => `No conflicts with ${branch}. Nothing has been committed yet.`,
  commitTo: (branch: string) => `Commit to ${branch}`,
  committedTo: (branch: string) => `Committed to ${branch}`,
  cancel: 'Cancel',
}

export const commitNotes = {
  title: 'Comments',
  add: 'Add comment',
  note: 'Comment',
  location: (path: string, line: number | null) => (line === null ? path : `${path}:${line}`),
}

export const refs = {
  newBranch: 'New branch',
  newTag: 'New tag',
  branchName: 'Branch name',
  tagName: 'Tag name',
  from: 'Create from',
  message: 'Message',
  messageHint: 'Optional. A tag with a message is an annotated tag.',
  createBranch: 'Create branch',
  createTag: 'Create tag',
  remove: 'Delete',
  removeBranch: (name: string) => `Delete branch ${name}?`,
  removeBranchConfirm: 'Delete branch',
  removeTag: (name: string) => `Delete tag ${name}?`,
  removeTagConfirm: 'Delete tag',
  removeText: 'Commits that are not on any other branch or tag may be lost.',
  removeMerged: 'Delete merged branches',
  removeMergedTitle: 'Delete merged branches?',
  removeMergedText: (names: string) =>
    `These branches are merged into the default branch and not protected: ${names}. This cannot be undone.`,
  removeMergedNone: 'No merged branches to delete',
  removed: (name: string) => `Branch ${name} deleted`,
}
