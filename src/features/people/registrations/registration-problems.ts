// Reasons for which the settings of the instance refuse a sign-up (docs/api/users.md, "Sign-up").
import type { FieldErrors } from '../../../kernel/errors.ts'
import { compileLinearRegexTest } from '../../../kernel/linear-regex.ts'
import { isEmail } from '../../../kernel/names.ts'
import { matchesWildcard } from '../../../kernel/wildcard.ts'
import type { Settings } from '../../basics/settings/known-settings.ts'
import { password_characters_min, passwordProblems } from '../users/user-problems.ts'

/** The minimum length of a password at sign-up. */
export function minimumPasswordLength({ minimum_password_length }: Settings): number {
  return Math.max(password_characters_min, minimum_password_length)
}

/** Returns the validation problems that only sign-up has: the email domain, the address, the password. */
export function registrationProblems(
  { email, password }: { email: string; password: string },
  settings: Settings,
): FieldErrors {
  const problems: FieldErrors = {}
  const refusal = isEmail(email) ? findEmailRefusal(email, settings) : undefined
  if (refusal !== undefined) problems.email = [refusal]
  const ofPassword = passwordProblems(password, minimumPasswordLength(settings))
  if (ofPassword.length > 0) problems.password = ofPassword
  return problems
}

/**
 * Returns why the address may not be used, or undefined if it may. Domains on the allowlist are always
 * allowed.
 */
function findEmailRefusal(email: string, settings: Settings): string | undefined {
  const { domain_allowlist, domain_denylist, domain_denylist_enabled } = settings
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const isAmong = (patterns: readonly string[]) =>
    patterns.some((pattern) => matchesWildcard(pattern.toLowerCase(), domain))
  if (isAmong(domain_allowlist)) return undefined
  if (domain_allowlist.length > 0) return 'domain is not authorized for sign-up.'
  if (domain_denylist_enabled && isAmong(domain_denylist)) return 'is not from an allowed domain.'
  return isRestricted(email, settings)
    ? 'is not allowed. Please use your regular email address.'
    : undefined
}

/**
 * Returns whether the restriction matches the address. An expression that cannot be compiled matches all
 * addresses, so nobody can sign up.
 */
function isRestricted(
  email: string,
  { email_restrictions, email_restrictions_enabled }: Settings,
): boolean {
  if (!email_restrictions_enabled || !email_restrictions) return false
  return compileLinearRegexTest(email_restrictions)?.passes(email) ?? true
}
