import { counted } from './numbers.ts'

export const people = {
  projects: 'Projects',
  starred: 'Starred',
  contributed: 'Contributed to',
  followers: 'Followers',
  follow: 'Follow',
  unfollow: 'Unfollow',
  none: 'Nothing here yet',
  tabs: (name: string) => `What ${name} does`,
  edit: 'Edit your profile',
  member: (since: string) => `here since ${since}`,
  busy: 'busy',
}

export const groupText = {
  explore: 'Groups',
  filter: 'Filter groups',
  none: 'No group is like that.',
  empty: 'Nothing in this group yet',
  emptyText: 'A group has projects, and groups of its own.',
  subgroups: 'Groups in it',
  projects: 'Projects',
  newProject: 'New project',
  newSubgroup: 'New group in it',
  list: 'Groups',
}

export const contributorText = {
  title: 'Contributors',
  commits: (number: number) => counted(number, 'commit', 'commits'),
  none: 'Nobody has committed yet.',
}

export const forkText = {
  title: 'Forks',
  none: 'No fork yet.',
  starrers: 'Starred by',
  noStarrers: 'Nobody has starred it yet.',
}
