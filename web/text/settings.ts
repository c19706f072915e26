export const settingsText = {
  nav: 'Settings of this project',
  general: 'General',
  repository: 'Repository',
  ci: 'CI/CD',
  accessTokens: 'Access tokens',
}
