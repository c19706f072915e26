// Lists of scopes as OAuth writes them: names with spaces between them (RFC 6749, section 3.3).
import {
  type OauthScope,
  oauthScopes,
  type TokenScope,
  tokenScopes,
} from '../../../access/actor.ts'
import { OauthError } from './oauth-error.ts'

/** Returns the scopes in a text, each once; undefined if one is unknown. */
export function parseScopes(text: string): OauthScope[] | undefined {
  const given = [...new Set(text.split(/[ \t\r\n]/).filter((name) => name !== ''))]
  const known = given.filter((name): name is OauthScope => oauthScopes.some((s) => s === name))
  return known.length === given.length ? known : undefined
}

/**
 * Returns the requested scopes, or all allowed ones if none are requested. Throws `invalid_scope` for one that is not
 * allowed.
 */
export function resolveRequestedScopes(
  asked: string | undefined,
  allowed: readonly OauthScope[],
): OauthScope[] {
  if (asked === undefined || asked.trim() === '') return [...allowed]
  const wanted = parseScopes(asked)
  if (!wanted?.every((scope) => allowed.includes(scope))) throw new OauthError('invalid_scope')
  return wanted
}

/** Returns the scopes that apply to the API and git. */
export function filterApiScopes(given: readonly string[]): TokenScope[] {
  return tokenScopes.filter((scope) => given.includes(scope))
}
