import type { ReceivedAlert } from './alert.ts'
import { type AlertParsingOptions, parseAlert } from './parse-alert.ts'
import { isAlertmanagerPayload, parseAlertmanagerPayload } from './parse-alertmanager-payload.ts'
import type { AlertPayload } from './payload.ts'

/**
 * Returns the alerts in a body. A body in Alertmanager's format is recognized at every URL (docs/api/alerts.md,
 * "Alertmanager").
 */
export function parseAlertPayload(
  payload: AlertPayload,
  reading: AlertParsingOptions,
): ReceivedAlert[] {
  return isAlertmanagerPayload(payload)
    ? parseAlertmanagerPayload(payload, reading.now)
    : [parseAlert(payload, reading)]
}
