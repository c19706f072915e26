import { formatBytes } from './numbers.ts'

export const instanceGroups = {
  title: 'Groups',
  filter: 'Search groups',
  new: 'New group',
  list: 'Groups',
  empty: 'No groups yet',
  noMatches: 'No matching groups',
  size: (size: number) => formatBytes(size),
  menu: (name: string) => `Actions for group ${name}`,
  menuSign: '…',
  settings: 'Settings',
  members: 'Members',
  remove: 'Delete group',
  removeTitle: (name: string) => `Delete group ${name}?`,
  removeText: 'This deletes the group with all its subgroups and projects. This cannot be undone.',
  removed: (name: string) => `Group ${name} is being deleted`,
}
