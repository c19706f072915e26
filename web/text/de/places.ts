import type * as english from '../places.ts'

export const ownSettingsPlaces: typeof english.ownSettingsPlaces = {
  nav: 'Benutzereinstellungen',
  profile: 'Profil',
  tokens: 'Persönliche Zugriffstoken',
  applications: 'Anwendungen',
  keys: 'SSH-Schlüssel',
  gpgKeys: 'GPG-Schlüssel',
  emails: 'E-Mail-Adressen',
  notifications: 'Benachrichtigungen',
  password: 'Passwort',
  twoFactor: 'Zwei-Faktor-Authentifizierung',
  sessions: 'Aktive Sitzungen',
  preferences: 'Präferenzen',
  saved: 'Änderungen gespeichert',
}

export const settingsText: typeof english.settingsText = {
  nav: 'Projekteinstellungen',
  groupNav: 'Gruppeneinstellungen',
  general: 'Allgemein',
  repository: 'Repository',
  ci: 'CI/CD',
  accessTokens: 'Zugriffstoken',
  integrations: 'Integrationen',
  monitor: 'Monitoring',
  webhooks: 'Webhooks',
  auditEvents: 'Audit-Ereignisse',
}

export const deliveryPlaces: typeof english.deliveryPlaces = {
  label: 'CI/CD',
  pipelines: 'Pipelines',
  jobs: 'Jobs',
  environments: 'Umgebungen',
  artifacts: 'Artefakte',
  editor: 'Pipeline-Editor',
}

export const planningPlaces: typeof english.planningPlaces = {
  label: 'Planung',
  issues: 'Issues',
  boards: 'Boards',
  labels: 'Labels',
  milestones: 'Meilensteine',
}
