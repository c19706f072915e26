/** Words of the dialog that reverts or cherry-picks what was merged. */
export const pickCommit = {
  revertTitle: 'Revert merge request',
  cherryPickTitle: 'Cherry-pick merge request',
  intoBranch: 'Branch',
  newRequestFromIt: 'Create a merge request with these changes',
}
