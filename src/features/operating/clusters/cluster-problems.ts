// Validation of clusters, with the messages of the API (docs/api/clusters.md, "Validation").
import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { FieldErrors } from '../../../kernel/errors.ts'
import { isLoopbackAddress, normalizeIpAddress } from '../../../kernel/ip-addresses.ts'
import { limits } from '../../../kernel/limits.ts'
import { type AddressPolicy, hostOfUrl } from '../../../outgoing/address-policy.ts'

type Checked = {
  name: string
  domain: string | null
  environment_scope: string
  platform: {
    api_url: string
    ca_cert: string | null
    namespace: string | null
    /** Undefined to keep the present token. */
    token: string | undefined
  }
}

/** Returns all validation problems by field; nested fields have a dot. */
export function clusterProblems(
  { name, domain, environment_scope, platform }: Checked,
  { isOfProject, reach }: { isOfProject: boolean; reach: AddressPolicy },
): FieldErrors {
  const { name_characters, token_characters, certificate_characters } = limits.clusters
  const { token } = platform
  const found: Record<string, string | undefined> = {
    'platform_orchestrator.api_url': addressProblem(platform.api_url, reach),
    'platform_orchestrator.token':
      token === undefined
        ? undefined
        : token === ''
          ? "can't be blank"
          : tooLong(token, token_characters),
    'platform_orchestrator.ca_cert':
      platform.ca_cert === null
        ? undefined
        : (tooLong(platform.ca_cert, certificate_characters) ??
          certificateProblem(platform.ca_cert)),
    'platform_orchestrator.namespace':
      platform.namespace === null ? undefined : namespaceProblem(platform.namespace, isOfProject),
    name: name.trim() === '' ? 'has to be present' : tooLong(name, name_characters),
    environment_scope: tooLong(environment_scope, limits.name_characters),
    domain: domain ? domainProblem(domain) : undefined,
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, text]) => (text === undefined ? [] : [[field, [text]]])),
  )
}

function tooLong(text: string, maximum: number): string | undefined {
  return text.length > maximum ? `is too long (maximum is ${maximum} characters)` : undefined
}

/** Returns the problem of a cluster's URL. Host names are not resolved, since only jobs connect to clusters. */
function addressProblem(text: string, reach: AddressPolicy): string | undefined {
  if (text === '') return "can't be blank"
  const long = tooLong(text, limits.clusters.url_characters)
  if (long) return long
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return 'is blocked: Only allowed schemes are http, https'
  }
  if (url.username !== '' || url.password !== '')
    return 'is blocked: Username and password are not allowed'
  // The URL parser silently removes these characters, but clients may not.
  if (/[\s\p{Cc}]/u.test(text)) return 'is blocked: URI is invalid'
  // A trailing dot makes no difference to a host name.
  const host = hostOfUrl(url).toLowerCase().replace(/\.$/, '')
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  const address = isLocal ? '127.0.0.1' : host
  if (isIP(address) === 0 || reach(address, host)) return undefined
  return `is blocked: Requests to ${placeOf(address)} are not allowed`
}

function placeOf(address: string): string {
  if (isLoopbackAddress(address)) return 'localhost'
  const plain = normalizeIpAddress(address).toLowerCase()
  const isLinkLocal = plain.startsWith('169.254.') || plain.startsWith('fe80:')
  return isLinkLocal ? 'the link local network' : 'the local network'
}

function certificateProblem(pem: string): string | undefined {
  try {
    // Of a chain of certificates only the first is checked, as clients of the cluster do.
    new X509Certificate(pem)
    return undefined
  } catch {
    return 'must be a valid PEM certificate'
  }
}

const namespace_characters = 63
/** A namespace that the real product reserved for applications of its own. */
const reservedNamespace = 'gitlab-managed-apps'

function namespaceProblem(namespace: string, isOfProject: boolean): string | undefined {
  if (!isOfProject) return 'only allowed for project cluster'
  const long = tooLong(namespace, namespace_characters)
  if (long) return long
  if (!/^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(namespace)) {
    return "can contain only lowercase letters, digits, and '-'. Must start with a letter, and cannot end with '-'"
  }
  return namespace === reservedNamespace ? 'is reserved' : undefined
}

function domainProblem(domain: string): string | undefined {
  const labels = domain.split('.')
  if (domain.length > limits.name_characters) return 'must be between 1 and 255 characters long'
  if (labels.some((label) => label.length < 1 || label.length > 63)) {
    return 'must be between 1 and 63 characters long'
  }
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) {
    return 'begins or ends with hyphen'
  }
  return labels.every((label) => /^[a-z0-9-]+$/i.test(label))
    ? undefined
    : 'contains invalid characters (valid characters: [a-z0-9\\-])'
}
