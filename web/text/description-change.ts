/** Words of an earlier version of a description. */
export const descriptionChange = {
  descriptionChange: 'Changes to the description',
  versionGone: 'This version is no longer available.',
  removeVersion: 'Delete this version',
  removeVersionText:
    'The text of this version is removed from the history. If the description still has it, edit the description too. This cannot be undone.',
}
