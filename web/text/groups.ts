export const groups = {
  group: 'Group',
  members: 'Members',
  nav: 'This group',
  path: 'Path of this group',
  projects: 'Projects',
  settings: 'Settings',
  runners: 'Runners',
}
