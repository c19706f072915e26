import { counted } from './numbers.ts'

export const groups = {
  all: 'All you see',
  empty: 'Nothing in this group yet',
  filter: 'Filter groups',
  filterInside: 'Filter what is in this group',
  groups: 'Groups',
  membersCount: (number: number) => counted(number, 'member', 'members'),
  none: 'No group is like that.',
  subgroups: 'Subgroups',
  yours: 'Your groups',
  group: 'Group',
  members: 'Members',
  nav: 'This group',
  path: 'Path of this group',
  projects: 'Projects',
  settings: 'Settings',
  runners: 'Runners',
}
