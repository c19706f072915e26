/** Words of what is done with code in the browser. */
export const commitActions = {
  menu: 'More',
  cherryPick: 'Cherry-pick',
  cherryPickText: 'Puts the change of this commit onto a branch, as a commit of its own.',
  revert: 'Revert',
  revertText: 'Puts the opposite of this commit onto a branch, as a commit of its own.',
  branch: 'Onto branch',
  tryIt: 'Try it',
  goesWell: (branch: string) =>
    `It goes onto ${branch} without a conflict. Nothing has changed yet.`,
  go: (branch: string) => `Commit to ${branch}`,
  done: (branch: string) => `It is on ${branch}`,
  cancel: 'Cancel',
}

export const commitNotes = {
  title: 'Notes',
  add: 'Add note',
  note: 'Note',
  at: (path: string, line: number | null) => (line === null ? path : `${path}:${line}`),
}
