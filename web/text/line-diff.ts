/** Words of two texts compared line by line. */
export const lineDiff = {
  noChange: 'No changes',
  moreLines: 'More lines are not shown.',
}
