/** Words of what a user did, by day and one after another. */
import { language } from './language.ts'
import { formatCount, formatCountWithNoun } from './numbers.ts'

const contributions = (number: number) =>
  formatCountWithNoun(number, 'contribution', 'contributions')

const verbs: Readonly<Record<string, string>> = {
  opened: 'Opened',
  closed: 'Closed',
  accepted: 'Merged',
  approved: 'Approved',
  created: 'Created',
  updated: 'Updated',
  destroyed: 'Deleted',
  'commented on': 'Commented on',
}

const things: Readonly<Record<string, string>> = {
  Issue: 'issue',
  MergeRequest: 'merge request',
  Milestone: 'milestone',
  Project: 'project',
  'WikiPage::Meta': 'wiki page',
  Commit: 'commit',
}

const months = new Intl.DateTimeFormat(language, { month: 'short' })

export const activity = {
  month: (date: Date) => months.format(date),
  title: 'Contributions',
  inYear: (number: number) => `${contributions(number)} in the past year`,
  since: (number: number, date: string) => `${contributions(number)} since ${date}`,
  counting: 'Loading contributions…',
  graph: 'Contributions by day',
  graphHint: 'Use the arrow keys to move between days. Days are in UTC.',
  onDay: (number: number, date: string) =>
    number === 0 ? `No contributions on ${date}` : `${contributions(number)} on ${date}`,
  weekdays: ['Mon', '', 'Wed', '', 'Fri', '', ''],
  less: 'Less',
  more: 'More',
  asTable: 'Show as table',
  day: 'Day',
  number: 'Contributions',
  count: formatCount,
  recent: 'Recent activity',
  ofDay: (date: string) => `Activity on ${date}`,
  all: 'Show all activity',
  empty: 'No activity to show',
  emptyDay: 'No activity on this day',
  did: (action: string, type: string) =>
    `${verbs[action] ?? action} ${things[type] ?? type.toLowerCase()}`,
  within: 'in',
  joined: 'Joined project',
  left: 'Left project',
  expired: 'Membership expired in project',
  pushed: (commits: number, type: string) =>
    `Pushed ${formatCountWithNoun(commits, 'commit', 'commits')} to ${type}`,
  pushedNew: (type: string) => `Created ${type}`,
  deleted: (type: string) => `Deleted ${type}`,
  pushedMany: (number: number, type: string) =>
    type === 'tag'
      ? `Pushed ${formatCountWithNoun(number, 'tag', 'tags')}`
      : `Pushed ${formatCountWithNoun(number, 'branch', 'branches')}`,
}
