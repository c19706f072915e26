import { counted } from './numbers.ts'

export const groups = {
  all: 'All groups',
  empty: 'No subgroups or projects yet',
  emptyList: 'No groups yet',
  emptyListText: 'Groups hold related projects and manage who has access to them.',
  filter: 'Filter groups',
  filterInside: 'Filter subgroups and projects',
  groups: 'Groups',
  membersCount: (number: number) => counted(number, 'member', 'members'),
  none: 'No matching groups',
  noneInside: 'No matching subgroups or projects',
  subgroups: 'Subgroups',
  yours: 'Your groups',
  group: 'Group',
  members: 'Members',
  nav: 'Group',
  path: 'Breadcrumb',
  projects: 'Projects',
  settings: 'Settings',
  runners: 'Runners',
}
