// Names of places that stand beside each other as tabs, which frames of pages share.

export const ownSettingsPlaces = {
  nav: 'User settings',
  profile: 'Profile',
  tokens: 'Personal access tokens',
  applications: 'Applications',
  keys: 'SSH keys',
  gpgKeys: 'GPG keys',
  emails: 'Emails',
  notifications: 'Notifications',
  password: 'Password',
  twoFactor: 'Two-factor authentication',
  sessions: 'Active sessions',
  preferences: 'Preferences',
  saved: 'Changes saved',
}

export const settingsText = {
  nav: 'Project settings',
  groupNav: 'Group settings',
  general: 'General',
  repository: 'Repository',
  ci: 'CI/CD',
  accessTokens: 'Access tokens',
  integrations: 'Integrations',
  monitor: 'Monitor',
  webhooks: 'Webhooks',
  auditEvents: 'Audit events',
}

export const deliveryPlaces = {
  label: 'CI/CD',
  pipelines: 'Pipelines',
  jobs: 'Jobs',
  environments: 'Environments',
  artifacts: 'Artifacts',
  editor: 'Pipeline editor',
}

export const planningPlaces = {
  label: 'Plan',
  issues: 'Issues',
  boards: 'Boards',
  labels: 'Labels',
  milestones: 'Milestones',
}
