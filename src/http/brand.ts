// The names of this program say `service` where clients know the brand of the real product. Both spellings are accepted
// and sent; no other file knows the second one.
import { ownValue } from '../kernel/own-value.ts'
import type { RawParameters } from './parameters.ts'

const parameterAliases: Record<string, string> = {
  gitlab_environment_name: 'service_environment_name',
  platform_kubernetes_attributes: 'platform_orchestrator_attributes',
}

/** Renames parameters in the other spelling to our own names. If both are given, our own name wins. */
export function renameAliasedParameters(bag: RawParameters): RawParameters {
  for (const [alias, name] of Object.entries(parameterAliases)) {
    if (Object.hasOwn(bag, alias) && !Object.hasOwn(bag, name)) bag[name] = ownValue(bag, alias)
  }
  return bag
}

/** Returns our own name of a parameter that is given in either spelling. */
export function ownParameterName(name: string): string {
  return ownValue(parameterAliases, name) ?? name
}

const memberAliases = new Map([
  ['platform_orchestrator', 'platform_kubernetes'],
  ['provider_cloud', 'provider_gcp'],
])

/** Adds the other spelling of each member of a record that has one. */
export function addMemberAliases<Members extends object>(members: Members): Members {
  const both = Object.entries(members).flatMap(([name, value]) => {
    const alias = memberAliases.get(name)
    return alias === undefined
      ? [[name, value]]
      : [
          [name, value],
          [alias, value],
        ]
  })
  return Object.fromEntries(both)
}

/** Returns headers in both spellings: `{ 'Blob-Id': x }` becomes `X-Service-Blob-Id` and its alias. */
export function fileHeadersWithAliases(values: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    const [own, alias] = spellingsOf(name)
    headers[own] = value
    headers[alias] = value
  }
  return headers
}

/** Returns the value of a header in either spelling: `Event` stands for `X-Service-Event`. */
export function findAliasedHeader(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
): string | string[] | undefined {
  const [own, alias] = spellingsOf(name)
  return ownValue(headers, own.toLowerCase()) ?? ownValue(headers, alias.toLowerCase())
}

const spellings = new Map<string, [own: string, alias: string]>()

function spellingsOf(name: string): [own: string, alias: string] {
  let found = spellings.get(name)
  if (!found) {
    found = [`X-Service-${name}`, `X-Gitlab-${name}`]
    spellings.set(name, found)
  }
  return found
}

/** The names of the file headers, for `Access-Control-Expose-Headers`. */
export const fileHeaderNames = [
  'Blob-Id',
  'Commit-Id',
  'Content-Sha256',
  'Encoding',
  'Execute-Filemode',
  'File-Name',
  'File-Path',
  'Last-Commit-Id',
  'Ref',
  'Size',
] as const

/** The prefix of the reason of a refused push. */
export const pushRefusalPrefix = 'GitLab: '

/** The greeting for an SSH client that requests no command. A deploy key has no username to greet. */
export function sshGreetingText(username: string | undefined): string {
  return `Welcome to GitLab, ${username === undefined ? 'Anonymous' : `@${username}`}!`
}

const brands = ['service', 'gitlab']

/** The DNS records in which the owner of a domain proves ownership, in both spellings, and their expected texts. */
export function verificationRecord(
  domain: string,
  code: string,
): { names: readonly string[]; texts: readonly string[] } {
  const word = 'pages-verification-code'
  return {
    names: [...brands.map((brand) => `_${brand}-${word}.${domain}`), domain],
    texts: brands.map((brand) => `${brand}-${word}=${code}`),
  }
}

/** Returns both spellings of a property in a bill of materials, for example of `dependency_scanning:category`. */
export function withBrandPrefixes(name: string): readonly string[] {
  return brands.map((brand) => `${brand}:${name}`)
}
