/**
 * Settings of git(1) for a fetch or push over HTTP to the named server only: no other protocol, no redirect, no proxy, and
 * no program that asks for a password.
 */
export const httpOnlySettings: readonly [name: string, value: string][] = [
  ['protocol.allow', 'never'],
  ['protocol.http.allow', 'always'],
  ['protocol.https.allow', 'always'],
  ['http.followRedirects', 'false'],
  ['http.proxy', ''],
  ['credential.helper', ''],
]
