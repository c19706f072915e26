import type { ReceivedAlert } from './alert.ts'
import { type AlertParsingOptions, parseAlert } from './parse-alert.ts'
import { isAlertmanagerPayload, parseAlertmanagerPayload } from './parse-alertmanager-payload.ts'
import type { AlertPayload } from './payload.ts'

/** The alerts of a body: one of Alertmanager is that wherever it is sent (docs/api/alerts.md, "Alertmanager"). */
export function parseAlertPayload(
  payload: AlertPayload,
  reading: AlertParsingOptions,
): ReceivedAlert[] {
  return isAlertmanagerPayload(payload)
    ? parseAlertmanagerPayload(payload, reading.now)
    : [parseAlert(payload, reading)]
}
