import { formatCountWithNoun } from './numbers.ts'

export const exploreText = {
  topics: 'Topics',
  filterTopics: 'Filter topics',
  noTopics: 'No topics yet',
  noTopicsText: 'Topics are set in the general settings of a project.',
  noMatchingTopics: 'No matching topics',
  projectsCount: (number: number) => formatCountWithNoun(number, 'project', 'projects'),
  noPublicGroups: 'There are no public groups. Sign in to see more.',
}
