import type * as english from '../picker.ts'

export const picker: typeof english.picker = {
  edit: (thing: string) => `${thing} bearbeiten`,
  selectThing: (thing: string) => `${thing} auswählen`,
  filterThing: (thing: string) => `${thing} suchen`,
  noMatches: 'Keine passenden Ergebnisse',
  clear: 'Auswahl aufheben',
}
