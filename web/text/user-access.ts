// How somebody else's account is entered: sessions, and tokens of administrators.
export const userAccess = {
  sessions: 'Active sessions',
  noSessions: 'The user is not signed in anywhere.',
  endSession: 'Sign out',
  sessionEnded: 'Session ended',
  impersonation: 'Impersonation tokens',
  impersonationLead:
    'With such a token, you act as this user in the API. The user cannot see it; audit events record what is done.',
  noTokens: 'No active impersonation tokens',
  addToken: 'Add impersonation token',
  createToken: 'Create token',
  tokenName: 'Token name',
  tokenExpires: 'Expiration date',
  tokenExpiresHint: 'Leave empty for a token that does not expire.',
  tokenScopes: 'Scopes',
  newTokenText: 'Copy this token now. You cannot see it again.',
  tokenToCopy: 'impersonation token',
  tokenExpiresOn: (date: string) => `expires ${date}`,
  revokeToken: 'Revoke token',
  revokeTokenTitle: (name: string) => `Revoke impersonation token ${name}?`,
  revokeTokenText: 'Programs that use this token lose access. This cannot be undone.',
}
