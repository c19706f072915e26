// How somebody else's account is entered: sessions, and tokens of administrators.
export const userAccess = {
  sessions: 'Active sessions',
  noSessions: 'The user is not signed in anywhere.',
  endSession: 'Sign out',
  sessionEnded: 'Session ended',
  impersonation: 'Impersonation tokens',
  impersonationLead:
    'An impersonation token lets you act as this user in the API. The user cannot see the token. Audit events record its use.',
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
  revokeTokenText:
    'Applications that use this token immediately lose access. This cannot be undone.',
}
