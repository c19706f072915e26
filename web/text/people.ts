/** Words of the page of a user. */
export const peopleText = {
  contributed: 'Contributed projects',
  followers: 'Followers',
  following: 'Following',
  empty: {
    projects: 'No personal projects to show',
    starred: 'No starred projects',
    contributed: 'No contributed projects to show',
    followers: 'No followers yet',
    following: 'Not following anyone yet',
  },
  overview: 'Overview',
  projects: 'Personal projects',
  since: 'Joined',
  starred: 'Starred projects',
  label: 'User profile',
}
