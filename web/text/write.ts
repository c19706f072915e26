/** Words of what is done with commits in the browser. */
export const commitActionsText = {
  menu: 'Options',
  cherryPick: 'Cherry-pick commit',
  cherryPickText: 'Applies the changes from this commit to a branch as a new commit.',
  revert: 'Revert commit',
  revertText: 'Undoes the changes from this commit with a new commit on a branch.',
  targetBranch: 'Target branch',
  checkConflicts: 'Check for conflicts',
  noConflicts: (branch: string) => `No conflicts with ${branch}. Nothing has been committed yet.`,
  commitTo: (branch: string) => `Commit to ${branch}`,
  committedTo: (branch: string) => `Committed to ${branch}`,
  cancel: 'Cancel',
}

export const commitNotesText = {
  title: 'Comments',
  add: 'Add comment',
  note: 'Comment',
  location: (path: string, line: number | null) => (line === null ? path : `${path}:${line}`),
}
