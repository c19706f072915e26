/** Words of the page that creates a merge request. */
export const newRequest = {
  create: 'Create merge request',
  createDraft: 'Mark as draft',
  createDraftHint: 'A draft cannot be merged until it is marked as ready.',
  targetProject: 'Target project',
  chooseBranches: 'Choose branches',
  sameBranch: 'Select two different branches.',
  noChanges: 'There is nothing to merge: the target branch has all commits of the source branch.',
  branchNotFound: (source: string, target: string) =>
    `Branch ${source} or ${target} does not exist. It may have been deleted or renamed.`,
  alreadyOpen: 'There is already an open merge request for these branches.',
  viewOpen: 'View merge request',
  allowCollaboration: 'Allow commits from members who can merge to the target branch',
}
