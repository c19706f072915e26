import { formatBytes } from './numbers.ts'

export const instanceProjects = {
  title: 'Projects',
  filter: 'Search projects',
  order: 'Sort by',
  orders: [
    ['last_activity_at', 'Last activity'],
    ['created_at', 'Created'],
    ['name', 'Name'],
    ['storage_size', 'Size'],
  ] as readonly (readonly [string, string])[],
  list: 'Projects',
  empty: 'No projects yet',
  noMatches: 'No matching projects',
  size: (size: number) => formatBytes(size),
  onStorage: (name: string) => `on ${name}`,
  menu: (name: string) => `Actions for project ${name}`,
  menuSign: '…',
  settings: 'Settings',
  members: 'Members',
  remove: 'Delete project',
  removeTitle: (name: string) => `Delete project ${name}?`,
  removeText:
    'This deletes the project with its repository, issues, merge requests and pipelines. This cannot be undone.',
  removed: (name: string) => `Project ${name} deleted`,
}
