// Parses bodies of Prometheus Alertmanager, version 4 of its webhooks (prometheus.io/docs/alerting/latest/configuration,
// "webhook_config"), with many alerts at once (docs/api/alerts.md, "Alertmanager").
import { renameAliasedParameters } from '../../../http/brand.ts'
import { parseDateTime } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { isRecord } from '../../../kernel/record.ts'
import type { AlertSeverity, ReceivedAlert } from './alert.ts'
import { defaultAlertTitle } from './parse-alert.ts'
import {
  type AlertPayload,
  alertFingerprintOfText,
  scalarToText,
  scalarToTruncatedText,
} from './payload.ts'

const members = [
  'version',
  'groupKey',
  'status',
  'receiver',
  'groupLabels',
  'commonLabels',
  'commonAnnotations',
  'externalURL',
  'alerts',
]

/** Whether a body is in Alertmanager's format. */
export function isAlertmanagerPayload(payload: AlertPayload): boolean {
  return members.every((name) => Object.hasOwn(payload, name)) && payload.version === '4'
}

/** The names of severities in Prometheus rules, besides GitLab's own. */
const synonyms: Readonly<Record<string, AlertSeverity>> = {
  critical: 'critical',
  s1: 'critical',
  p1: 'critical',
  emergency: 'critical',
  fatal: 'critical',
  high: 'high',
  s2: 'high',
  p2: 'high',
  major: 'high',
  page: 'high',
  medium: 'medium',
  s3: 'medium',
  p3: 'medium',
  error: 'medium',
  alert: 'medium',
  low: 'low',
  s4: 'low',
  p4: 'low',
  warn: 'low',
  warning: 'low',
  info: 'info',
  s5: 'info',
  p5: 'info',
  debug: 'info',
  information: 'info',
  notice: 'info',
  unknown: 'unknown',
}

/** Returns the alerts in a body, up to the limit. */
export function parseAlertmanagerPayload({ alerts }: AlertPayload, now: string): ReceivedAlert[] {
  if (!Array.isArray(alerts)) return []
  return alerts
    .filter(isRecord)
    .slice(0, limits.alerts.per_body_max)
    .map((alert) => readOne(alert, now))
}

function readOne(alert: AlertPayload, now: string): ReceivedAlert {
  const labels = isRecord(alert.labels) ? renameAliasedParameters({ ...alert.labels }) : {}
  const annotations = isRecord(alert.annotations) ? alert.annotations : {}
  const title = [annotations.title, annotations.summary, labels.alertname].find(scalarToText)
  const { title_characters, description_characters } = limits.alerts
  return {
    title: scalarToTruncatedText(title, title_characters) ?? defaultAlertTitle,
    description: scalarToTruncatedText(annotations.description, description_characters),
    service: null,
    monitoring_tool: 'Prometheus',
    hosts: [],
    severity: ownValue(synonyms, scalarToText(labels.severity)?.toLowerCase() ?? '') ?? 'critical',
    started_at: parseDateTime(scalarToText(alert.startsAt) ?? '') ?? now,
    ended_at:
      alert.status === 'resolved' ? (parseDateTime(scalarToText(alert.endsAt) ?? '') ?? now) : null,
    fingerprint: alertFingerprintOfText(identityOf(alert, scalarToText(title) ?? '')),
    environment: scalarToText(labels.service_environment_name) ?? null,
    payload: JSON.stringify(alert),
  }
}

/**
 * Returns what identifies an alert: the fingerprint, or for old versions of Alertmanager, which send none,
 * its labels.
 */
function identityOf(alert: AlertPayload, title: string): string {
  const { fingerprint, startsAt } = alert
  return (
    scalarToText(fingerprint) ??
    [scalarToText(startsAt) ?? '', title, prometheusQueryOf(alert) ?? ''].join('/')
  )
}

/** Returns the query of the alerting rule, from the link to Prometheus. */
export function prometheusQueryOf({ generatorURL }: AlertPayload): string | undefined {
  const url = URL.parse(scalarToText(generatorURL) ?? '')
  return scalarToText(url?.searchParams.get('g0.expr'))
}
