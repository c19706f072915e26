// From the body a monitoring tool sends to an HTTP integration to an alert (docs/api/alerts.md, "Fields").
import { renameAliasedParameters } from '../../../http/brand.ts'
import { readDateTime } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { type SentAlert, type Severity, severities } from './alert.ts'
import {
  fingerprintOf,
  fingerprintOfPayload,
  type Path,
  type Payload,
  readHosts,
  textOf,
  textsOf,
  truncatedTextOf,
  valueAt,
  withoutPath,
} from './payload.ts'

/** What can be said of an alert, by the names payloads have for it. */
export const alertFields = [
  'title',
  'description',
  'start_time',
  'end_time',
  'service',
  'monitoring_tool',
  'hosts',
  'severity',
  'fingerprint',
  'service_environment_name',
] as const
export type AlertField = (typeof alertFields)[number]

export const usualTitle = 'New: Alert'

/** How an integration reads payloads. */
export type AlertParsingOptions = {
  /** Where fields are that are not at the place of their name. */
  mapping: Readonly<Partial<Record<AlertField, Path>>>
  /** Whether payloads that say the same are one alert, where they have no fingerprint. */
  groupsByPayload: boolean
  now: string
}

/** The alert a payload tells of. Every field may be missing, and one that makes no sense is. */
export function parseAlert(
  payload: Payload,
  { mapping, groupsByPayload, now }: AlertParsingOptions,
): SentAlert {
  const named = renameAliasedParameters({ ...payload })
  const field = (name: AlertField) =>
    mapping[name] ? valueAt(payload, mapping[name]) : valueAt(named, [name])
  const time = (name: AlertField) => readDateTime(textOf(field(name)) ?? '')
  const { title_characters, description_characters, name_characters } = limits.alerts
  const given = textsOf(field('fingerprint')).join('')
  return {
    title: truncatedTextOf(field('title'), title_characters) ?? usualTitle,
    description: truncatedTextOf(field('description'), description_characters),
    service: truncatedTextOf(field('service'), name_characters),
    monitoring_tool: truncatedTextOf(field('monitoring_tool'), name_characters),
    hosts: readHosts(field('hosts')),
    severity: readSeverity(field('severity')),
    started_at: time('start_time') ?? now,
    ended_at: time('end_time') ?? null,
    fingerprint: given ? fingerprintOf(given) : groupsByPayload ? groupOf(payload, mapping) : null,
    environment: textOf(field('service_environment_name')) ?? null,
    payload: JSON.stringify(payload),
  }
}

function readSeverity(value: unknown): Severity {
  const text = textOf(value)?.toLowerCase()
  return severities.find((severity) => severity === text) ?? 'critical'
}

/** What changes from one sending of an alert to the next, or from one machine to another, tells none apart. */
const ungrouped = ['start_time', 'end_time', 'hosts'] as const

function groupOf(payload: Payload, mapping: AlertParsingOptions['mapping']): string {
  const rest = ungrouped.reduce((left, name) => withoutPath(left, mapping[name] ?? [name]), payload)
  return fingerprintOfPayload(rest)
}
