// Parses the body that a monitoring tool sends to an HTTP integration (docs/api/alerts.md, "Fields").
import { renameAliasedParameters } from '../../../http/brand.ts'
import { parseDateTime } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { type AlertSeverity, alertSeverities, type ReceivedAlert } from './alert.ts'
import {
  type AlertPayload,
  alertFingerprintOfPayload,
  alertFingerprintOfText,
  flattenToTexts,
  type PayloadPath,
  parseAlertHosts,
  payloadValueAt,
  payloadWithoutPath,
  scalarToText,
  scalarToTruncatedText,
} from './payload.ts'

/** The fields of an alert, by their names in payloads. */
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

export const defaultAlertTitle = 'New: Alert'

/** How an integration parses payloads. */
export type AlertParsingOptions = {
  /** The paths of fields that are not found under their own name. */
  mapping: Readonly<Partial<Record<AlertField, PayloadPath>>>
  /** Whether alerts without a fingerprint are the same if their payloads are equal. */
  groupsByPayload: boolean
  now: string
}

/** Parses the alert in a payload. Every field may be missing; an invalid one counts as missing. */
export function parseAlert(
  payload: AlertPayload,
  { mapping, groupsByPayload, now }: AlertParsingOptions,
): ReceivedAlert {
  const named = renameAliasedParameters({ ...payload })
  const field = (name: AlertField) =>
    mapping[name] ? payloadValueAt(payload, mapping[name]) : payloadValueAt(named, [name])
  const time = (name: AlertField) => parseDateTime(scalarToText(field(name)) ?? '')
  const { title_characters, description_characters, name_characters } = limits.alerts
  const given = flattenToTexts(field('fingerprint')).join('')
  return {
    title: scalarToTruncatedText(field('title'), title_characters) ?? defaultAlertTitle,
    description: scalarToTruncatedText(field('description'), description_characters),
    service: scalarToTruncatedText(field('service'), name_characters),
    monitoring_tool: scalarToTruncatedText(field('monitoring_tool'), name_characters),
    hosts: parseAlertHosts(field('hosts')),
    severity: readSeverity(field('severity')),
    started_at: time('start_time') ?? now,
    ended_at: time('end_time') ?? null,
    fingerprint: given
      ? alertFingerprintOfText(given)
      : groupsByPayload
        ? groupOf(payload, mapping)
        : null,
    environment: scalarToText(field('service_environment_name')) ?? null,
    payload: JSON.stringify(payload),
  }
}

function readSeverity(value: unknown): AlertSeverity {
  const text = scalarToText(value)?.toLowerCase()
  return alertSeverities.find((severity) => severity === text) ?? 'critical'
}

/** Fields that differ between notifications of the same alert, and are therefore not part of its fingerprint. */
const ungrouped = ['start_time', 'end_time', 'hosts'] as const

function groupOf(payload: AlertPayload, mapping: AlertParsingOptions['mapping']): string {
  const rest = ungrouped.reduce(
    (left, name) => payloadWithoutPath(left, mapping[name] ?? [name]),
    payload,
  )
  return alertFingerprintOfPayload(rest)
}
