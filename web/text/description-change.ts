/** Words of an earlier version of a description. */
export const descriptionChange = {
  descriptionChange: 'Changes to the description',
  versionGone: 'This version is no longer available.',
  removeVersion: 'Delete this version',
  removeVersionText:
    'The text of this version is removed from the history. If the current description still contains it, edit the description as well. This cannot be undone.',
}
