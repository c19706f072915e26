import { tokens } from './own-settings.ts'

export const applications = {
  yours: 'Your applications',
  yoursLead:
    'Programs of yours that sign users in by this server or use its API on their behalf (OAuth 2).',
  noneOfYours: 'You have not registered an application',
  new: 'New application',
  lead: 'Applications that you have allowed to use your account. Each can do no more than its scopes allow.',
  list: 'Authorized applications',
  empty: 'No authorized applications',
  emptyText: 'An application appears here once you sign in to it with this account and allow it.',
  scopeNames: {
    ...tokens.scopeNames,
    openid: 'Sign you in by OpenID Connect',
    profile: 'Read your profile by OpenID Connect',
    email: 'Read your primary email address by OpenID Connect',
  } as Readonly<Record<string, string>>,
  lastAuthorized: 'Last authorized',
  revoke: 'Revoke',
  revokeConfirm: 'Revoke authorization',
  revokeTitle: (name: string) => `Revoke the authorization of ${name}?`,
  revokeText: 'Its tokens stop working at once. If you sign in to it again, you are asked again.',
  revoked: (name: string) => `${name} can no longer use your account`,
}
