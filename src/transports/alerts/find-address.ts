// Finds the project and integration of a URL (docs/api/alerts.md, "Addresses").
import { splitUrlPath } from '../../features/repository/addresses/web-address.ts'
import type { AlertAddressKind } from '../../features/security/alert-integrations/alert-integration.ts'

/** `path` is the full path of a project. */
export type AlertAddress = { path: string; kind: AlertAddressKind; identifier?: string }

const identifier_characters_max = 100

/**
 * Returns the possible meanings of a URL, the likelier one first; undefined if it is no alert endpoint. There are two if
 * a project may itself be named `prometheus`.
 */
export function findAlertAddress(url: string): readonly AlertAddress[] | undefined {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('/alerts/notify')) return undefined
  // Unlike addresses of pages, these have no empty parts.
  const segments = /\/(?:\/|$)/.test(path) ? undefined : splitUrlPath(path)
  if (!segments) return undefined
  const last = segments.at(-1) ?? ''
  const name = last.endsWith('.json') ? last.slice(0, -'.json'.length) : last
  if (name === 'notify' && segments.at(-2) === 'alerts') return nameless(segments.slice(0, -2))
  if (segments.at(-3) !== 'notify' || segments.at(-4) !== 'alerts') return undefined
  const project = segments.slice(0, -4)
  const isName = /^[A-Za-z0-9]+$/.test(name) && name.length <= identifier_characters_max
  if (!isName || project.length < 2) return undefined
  return [{ path: project.join('/'), kind: 'named', identifier: name }]
}

function nameless(segments: readonly string[]): readonly AlertAddress[] | undefined {
  if (segments.length < 2) return undefined
  const project = { path: segments.join('/'), kind: 'nameless' as const }
  const isPrometheus = segments.at(-1) === 'prometheus' && segments.length > 2
  if (!isPrometheus) return [project]
  return [{ path: segments.slice(0, -1).join('/'), kind: 'prometheus' }, project]
}
