import { tokens } from './own-settings.ts'

export const applications = {
  yours: 'Your applications',
  yoursLead:
    'Applications of yours that sign users in with this server or use its API on their behalf (OAuth 2).',
  noneOfYours: 'No applications yet',
  new: 'New application',
  lead: 'Applications that you have authorized to use your account. Their scopes limit what they can do.',
  list: 'Authorized applications',
  empty: 'No authorized applications',
  emptyText: 'Applications appear here after you authorize them to use your account.',
  scopeNames: {
    ...tokens.scopeNames,
    openid: 'Sign you in with OpenID Connect',
    profile: 'Read your profile with OpenID Connect',
    email: 'Read your primary email address with OpenID Connect',
  } as Readonly<Record<string, string>>,
  lastAuthorized: 'Last authorized',
  revoke: 'Revoke',
  revokeConfirm: 'Revoke authorization',
  revokeTitle: (name: string) => `Revoke the authorization of ${name}?`,
  revokeText:
    'Its tokens stop working immediately. To use the application again, you must authorize it again.',
  revoked: (name: string) => `${name} can no longer use your account`,
}
