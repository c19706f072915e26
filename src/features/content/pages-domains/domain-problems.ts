// Validation of a domain's name (docs/api/pages.md, "Domains").
import type { Config } from '../../../config.ts'
import { limits } from '../../../kernel/limits.ts'

/** Returns the validation problems of a domain name, each once. */
export function pagesDomainProblems(domain: string, { pages, url }: Config): string[] {
  const problems = new Set<string>()
  const { domain_characters } = limits.pages
  if (domain.length < 1 || domain.length > domain_characters) {
    return [`must be between 1 and ${domain_characters} characters long`]
  }
  if (domain.endsWith('.')) problems.add('must not end with dot')
  if (domain.includes('..')) problems.add('must not contain consecutive dots')
  for (const label of domain.split('.').filter((part) => part !== '')) {
    if (label.length > 63) problems.add('must be between 1 and 63 characters long')
    if (label.startsWith('-') || label.endsWith('-')) problems.add('begins or ends with hyphen')
    if (!/^[a-zA-Z0-9-]*$/.test(label)) {
      problems.add('contains invalid characters (valid characters: [a-z0-9\\-])')
    }
  }
  const reserved = [pages.host, url === undefined ? undefined : new URL(url).hostname]
  for (const host of reserved) {
    if (host !== undefined && isAtOrBelow(domain, host)) problems.add(`*.${host} is restricted`)
  }
  return [...problems]
}

function isAtOrBelow(domain: string, host: string): boolean {
  const lower = domain.toLowerCase()
  return lower === host || lower.endsWith(`.${host}`)
}
