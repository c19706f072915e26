import type * as english from '../explore.ts'
import { formatCountWithNoun } from '../numbers.ts'

export const exploreText: typeof english.exploreText = {
  topics: 'Themen',
  filterTopics: 'Themen filtern',
  noTopics: 'Noch keine Themen',
  noTopicsText: 'Themen werden in den allgemeinen Einstellungen eines Projekts festgelegt.',
  noMatchingTopics: 'Keine passenden Themen',
  projectsCount: (number: number) => formatCountWithNoun(number, 'Projekt', 'Projekte'),
  noPublicGroups: 'Es gibt keine öffentlichen Gruppen. Melden Sie sich an, um mehr zu sehen.',
}
