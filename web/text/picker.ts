/** Words of lists that one chooses from. */
export const picker = {
  edit: (thing: string) => `Edit ${thing.toLowerCase()}`,
  selectThing: (thing: string) => `Select ${thing.toLowerCase()}`,
  filterThing: (thing: string) => `Filter ${thing.toLowerCase()}`,
  noMatches: 'No matching results',
  clear: 'Clear selection',
}
