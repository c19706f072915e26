/** Words of what is done with branches and tags in the browser. */
export const branchAndTagText = {
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
