/** Words of the page of a user. */
export const peopleText = {
  contributed: 'Contributed projects',
  followers: 'Followers',
  following: 'Following',
  empty: {
    projects: 'No projects you can see',
    starred: 'No starred projects',
    contributed: 'No contributions in the past year that you can see',
    followers: 'No followers yet',
    following: 'Not following anyone yet',
  },
  overview: 'Overview',
  projects: 'Personal projects',
  since: 'Joined',
  starred: 'Starred projects',
  label: 'User profile',
}
