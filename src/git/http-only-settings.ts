/**
 * Settings of git(1) for a fetch or a push that speaks HTTP with the named server and with nobody else: no other protocol, no
 * redirect, no proxy, and no program is asked for a password.
 */
export const httpOnlySettings: readonly [name: string, value: string][] = [
  ['protocol.allow', 'never'],
  ['protocol.http.allow', 'always'],
  ['protocol.https.allow', 'always'],
  ['http.followRedirects', 'false'],
  ['http.proxy', ''],
  ['credential.helper', ''],
]
