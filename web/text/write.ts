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

export const refs = {
  branches: 'Branches',
  tags: 'Tags',
  filter: 'Filter',
  default: 'default',
  protected: 'protected',
  merged: 'merged',
  compare: 'Compare',
  none: 'No branch is like that.',
  noTags: 'No tag yet. A tag names a commit for good, as for a release.',
  newBranch: 'New branch',
  newTag: 'New tag',
  name: 'Name',
  from: 'From',
  message: 'Message',
  messageHint: 'With a message it is an annotated tag.',
  create: 'Create',
  remove: 'Delete',
  removeBranch: (name: string) => `Delete branch ${name}?`,
  removeTag: (name: string) => `Delete tag ${name}?`,
  removeText: 'Commits that no other branch or tag has may be lost.',
  removeMerged: 'Delete merged branches',
  removeMergedText: (names: string) =>
    `Branches whose commits are all on the default branch, unless they are protected: ${names}`,
  removeMergedNone: 'There is none.',
  release: 'Release',
  download: 'Download',
  removed: (name: string) => `${name} is deleted`,
}
