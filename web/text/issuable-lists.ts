import { formatCount, formatCountWithNoun } from './numbers.ts'

/** Words that lists of issues and of merge requests share, and nothing else uses. */
export const issuableLists = {
  selectItem: 'Select item',
  selectAll: 'Select all on this page',
  selected: (number: number) => `${formatCount(number)} selected`,
  bulk: 'Change selected items',
  bulkDone: (number: number) => `${formatCountWithNoun(number, 'item', 'items')} updated`,
  bulkProgress: (done: number, all: number) =>
    `${formatCount(done)} of ${formatCount(all)} updated`,
  addLabels: 'Add labels',
  removeLabels: 'Remove labels',
  setMilestone: 'Set milestone',
  setAssignee: 'Set assignee',
  moreFilters: 'More filters',
  applyFilters: 'Apply filters',
  excludeLabels: 'Exclude labels',
  excludeLabelsHint: 'Label names, separated by commas.',
  excludeAuthor: 'Exclude author',
  createdAfter: 'Created after',
  createdBefore: 'Created before',
  text: 'Search',
  confidentialOnly: 'Confidential issues only',
  dueOptions: [
    ['', 'Any time'],
    ['overdue', 'Overdue'],
    ['week', 'Due this week'],
    ['month', 'Due this month'],
    ['0', 'No due date'],
  ] as readonly (readonly [string, string])[],
  removeFilter: (filter: string) => `Remove filter: ${filter}`,
  sort: 'Sort by',
  sorts: [
    ['created_date', 'Newest'],
    ['created_asc', 'Oldest'],
    ['updated_desc', 'Recently updated'],
    ['updated_asc', 'Least recently updated'],
    ['priority', 'Priority'],
    ['popularity', 'Popularity'],
    ['milestone_due', 'Milestone due date'],
    ['title_asc', 'Title'],
  ] as readonly (readonly [string, string])[],
}
