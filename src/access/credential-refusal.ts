import { type ApiError, forbidden, invalidToken, unauthorized } from '../kernel/errors.ts'
import type { CredentialEndReason } from './actor.ts'

/** Returns the refusal for a caller whose credential has ended. */
export function credentialRefusal(end: CredentialEndReason): ApiError {
  if (end.kind === 'barred') return forbidden(end.text)
  return end.kind === 'gone' ? unauthorized() : invalidToken(end.kind)
}
