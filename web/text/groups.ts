export const groups = {
  group: 'Group',
  members: 'Members',
  nav: 'This group',
  projects: 'Projects',
  settings: 'Settings',
  runners: 'Runners',
}
