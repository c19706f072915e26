/** Words of what opens on the page of a merge request: how to check out, merge, and resolve conflicts. */
export const requestDialogs = {
  checkOutText: 'Run these commands to try the changes on your computer.',
  checkOutCommands: 'commands to check out the branch',
  mergeMessage: 'Merge commit message',
  squashMessage: 'Squash commit message',
  messageHint: 'Leave empty to use the default message of the project.',
  conflictsText:
    'The source and target branches change the same lines. Merge the target branch on your computer, resolve the conflicts and push.',
  conflictCommands: 'commands to resolve conflicts',
}
