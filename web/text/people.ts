/** Words of the page of a user. */
export const people = {
  contributed: 'Contributed',
  followers: 'Followers',
  following: 'Following',
  nothing: {
    projects: 'No project of theirs is shown to you',
    starred: 'No star yet',
    contributed: 'No contribution in the past year is shown to you',
    followers: 'Nobody follows them yet',
    following: 'They follow nobody yet',
  },
  projects: 'Projects',
  since: 'Here since',
  starred: 'Starred',
  tabs: 'Of this user',
}
