import type * as english from '../issuable-lists.ts'
import { formatCount, formatCountWithNoun } from '../numbers.ts'

export const issuableLists: typeof english.issuableLists = {
  selectItem: 'Eintrag auswählen',
  selectAll: 'Alle auf dieser Seite auswählen',
  selected: (number: number) => `${formatCount(number)} ausgewählt`,
  bulk: 'Ausgewählte Einträge ändern',
  bulkDone: (number: number) =>
    `${formatCountWithNoun(number, 'Eintrag', 'Einträge')} aktualisiert`,
  bulkProgress: (done: number, all: number) =>
    `${formatCount(done)} von ${formatCount(all)} aktualisiert`,
  addLabels: 'Labels hinzufügen',
  removeLabels: 'Labels entfernen',
  setMilestone: 'Meilenstein festlegen',
  setAssignee: 'Zuweisen',
  moreFilters: 'Weitere Filter',
  applyFilters: 'Filter anwenden',
  excludeLabels: 'Labels ausschließen',
  excludeLabelsHint: 'Namen von Labels, durch Kommas getrennt.',
  excludeAuthor: 'Autor ausschließen',
  createdAfter: 'Erstellt nach',
  createdBefore: 'Erstellt vor',
  text: 'Suche',
  confidentialOnly: 'Nur vertrauliche Issues',
  dueOptions: [
    ['', 'Beliebig'],
    ['overdue', 'Überfällig'],
    ['week', 'Diese Woche fällig'],
    ['month', 'Diesen Monat fällig'],
    ['0', 'Ohne Fälligkeit'],
  ],
  removeFilter: (filter: string) => `Filter entfernen: ${filter}`,
  sort: 'Sortieren nach',
  sorts: [
    ['created_date', 'Neueste'],
    ['created_asc', 'Älteste'],
    ['updated_desc', 'Zuletzt aktualisiert'],
    ['updated_asc', 'Am längsten nicht aktualisiert'],
    ['priority', 'Priorität'],
    ['popularity', 'Beliebtheit'],
    ['milestone_due', 'Fälligkeit des Meilensteins'],
    ['title_asc', 'Titel'],
  ],
}
