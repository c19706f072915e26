import { counted } from './numbers.ts'

export const groups = {
  all: 'All groups',
  emptyGroup: 'No subgroups or projects yet',
  emptyList: 'No groups yet',
  emptyListText: 'Groups hold related projects and manage who has access to them.',
  filter: 'Filter groups',
  filterInside: 'Filter subgroups and projects',
  groups: 'Groups',
  membersCount: (number: number) => counted(number, 'member', 'members'),
  noMatches: 'No matching groups',
  noMatchesInside: 'No matching subgroups or projects',
  subgroups: 'Subgroups',
  yours: 'Your groups',
  group: 'Group',
  issues: 'Issues',
  members: 'Members',
  label: 'Group',
  breadcrumb: 'Breadcrumb',
  projects: 'Projects',
  settings: 'Settings',
  runners: 'Runners',
}
